// Chooses a sanction for a user: warn, pause, suspend or ban, with a reason and an end.
import { useState } from 'react';
import { imposeSanction } from '#/features/desk/commands/decide.ts';
import { useDeskText } from '#/features/desk/desk-text.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showSuccess } from '#/ui/toast.ts';
import { useSubmit } from '#/ui/use-submit.ts';
import {
  type DecisionReason,
  type Sanction,
  SANCTIONS,
  REPORT_REASONS,
} from '../../../../../shared/enums.ts';
import styles from './desk.module.css';

const REASONS = ['harassment', ...REPORT_REASONS] as const;
const DAYS = ['1', '7', '30'] as const;
type Days = (typeof DAYS)[number];

interface SanctionSheetProps {
  /** The user to sanction (type `user`), or an item whose author is to be sanctioned. */
  about: { type: string; id: string };
  onClose: () => void;
  /** Called with the decision's ID. */
  onDone: (decision: string) => void;
}

export function SanctionSheet({ about, onClose, onDone }: SanctionSheetProps) {
  const text = useDeskText();
  const [sanction, setSanction] = useState<Sanction | null>(null);
  const [reason, setReason] = useState<DecisionReason | null>(null);
  const [days, setDays] = useState<Days>('7');
  const ends = sanction === 'limit' || sanction === 'suspend';

  const { busy, onSubmit } = useSubmit(async () => {
    if (sanction === null || reason === null) return;
    const decision = await imposeSanction(about, sanction, reason, ends ? Number(days) : null);
    showSuccess(text.sanctions.done);
    onDone(decision);
  });

  return (
    <Sheet
      onClose={onClose}
      title={text.sanctions.what}
      footer={
        <Button
          wide
          variant="danger"
          busy={busy}
          disabled={sanction === null || reason === null}
          onClick={onSubmit}
        >
          {sanction === null ? text.acts.act : text.sanctions[sanction]}
        </Button>
      }
    >
      <div className={styles.stack}>
        <ChipGroup
          label={text.sanctions.what}
          labelHidden
          options={SANCTIONS.map((value) => ({ value, label: text.sanctions[value] }))}
          value={sanction}
          onChange={setSanction}
        />
        <ChipGroup
          label={text.acts.why}
          options={REASONS.map((value) => ({ value, label: text.reasons[value] }))}
          value={reason}
          onChange={setReason}
        />
        {ends && (
          <ChipGroup
            label={text.sanctions.until}
            options={DAYS.map((value) => ({ value, label: text.sanctions.days[value] }))}
            value={days}
            onChange={setDays}
          />
        )}
      </div>
    </Sheet>
  );
}
