// Chooses what is done about a person: warn, pause, suspend or ban, why, and until when.
import { useState } from 'react';
import { takeMeasure } from '#/features/desk/commands/decide.ts';
import { useDeskText } from '#/features/desk/desk-text.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showSuccess } from '#/ui/toast.ts';
import { useSubmit } from '#/ui/use-submit.ts';
import {
  type DecisionReason,
  type Measure,
  MEASURES,
  REPORT_REASONS,
} from '../../../../../shared/enums.ts';
import styles from './desk.module.css';

const REASONS = ['harassment', ...REPORT_REASONS] as const;
const DAYS = ['1', '7', '30'] as const;
type Days = (typeof DAYS)[number];

interface MeasureSheetProps {
  /** A person (kind person), or an item whose author it is about. */
  about: { kind: string; id: string };
  onClose: () => void;
  /** It was done; the decision's id. */
  onDone: (decision: string) => void;
}

export function MeasureSheet({ about, onClose, onDone }: MeasureSheetProps) {
  const text = useDeskText();
  const [measure, setMeasure] = useState<Measure | null>(null);
  const [reason, setReason] = useState<DecisionReason | null>(null);
  const [days, setDays] = useState<Days>('7');
  const ends = measure === 'limit' || measure === 'suspend';

  const { busy, onSubmit } = useSubmit(async () => {
    if (measure === null || reason === null) return;
    const decision = await takeMeasure(about, measure, reason, ends ? Number(days) : null);
    showSuccess(text.measures.done);
    onDone(decision);
  });

  return (
    <Sheet
      onClose={onClose}
      title={text.measures.what}
      footer={
        <Button
          wide
          variant="danger"
          busy={busy}
          disabled={measure === null || reason === null}
          onClick={onSubmit}
        >
          {measure === null ? text.acts.act : text.measures[measure]}
        </Button>
      }
    >
      <div className={styles.stack}>
        <ChipGroup
          label={text.measures.what}
          labelHidden
          options={MEASURES.map((value) => ({ value, label: text.measures[value] }))}
          value={measure}
          onChange={setMeasure}
        />
        <ChipGroup
          label={text.acts.why}
          options={REASONS.map((value) => ({ value, label: text.reasons[value] }))}
          value={reason}
          onChange={setReason}
        />
        {ends && (
          <ChipGroup
            label={text.measures.until}
            options={DAYS.map((value) => ({ value, label: text.measures.days[value] }))}
            value={days}
            onChange={setDays}
          />
        )}
      </div>
    </Sheet>
  );
}
