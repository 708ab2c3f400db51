// Asks before a check-in which dogs come along and how long the visit is.
import { CircleAlert, Clock } from 'lucide-react';
import { useState } from 'react';
import { type Companion, CompanionChoice } from './companion-choice.tsx';
import { Stepper } from '#/ui/stepper.tsx';
import {
  DEFAULT_STAY,
  MAX_STAY,
  MAX_UNNAMED_DOGS,
  MIN_STAY,
  STAY_CHOICES,
} from '#/features/check-ins/check-in-limits.ts';
import { defaultDogs } from '#/features/check-ins/usual-dogs.ts';
import { useFormatMinutes } from '#/features/check-ins/format-minutes.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { TextField } from '#/ui/text-field.tsx';
import styles from './check-in-sheet.module.css';

const OTHER = 'other';

export interface CheckInChoice {
  dogIds: string[];
  dogCount: number | null;
  stayMinutes: number;
}

interface CheckInSheetProps {
  /** The user's dogs; undefined while they are loading. */
  companions: readonly Companion[] | undefined;
  busy: boolean;
  warning: string | null;
  problem: string | null;
  onClose: () => void;
  onCheckIn: (choice: CheckInChoice) => void;
}

const toggled = (ids: readonly string[], id: string): string[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];

export function CheckInSheet(props: CheckInSheetProps) {
  const { companions, busy, warning, problem, onClose, onCheckIn } = props;
  const t = useT();
  const formatMinutes = useFormatMinutes();
  const dogs = companions ?? [];
  /** Dog IDs; null until the user has chosen. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [count, setCount] = useState(1);
  const [stay, setStay] = useState<string>(String(DEFAULT_STAY));
  /** The typed duration; null if one of the offered durations is selected. */
  const [typed, setTyped] = useState<string | null>(null);
  const minutes = Number(typed ?? stay);
  const isPossible = Number.isInteger(minutes) && minutes >= MIN_STAY && minutes <= MAX_STAY;
  const coming = chosen ?? defaultDogs(dogs);
  const nobody = dogs.length > 0 && coming.length === 0;
  return (
    <Sheet
      onClose={onClose}
      title={t('checkIns.sheet.confirm')}
      footer={
        <Button
          busy={busy}
          disabled={nobody || !companions || !isPossible}
          onClick={() =>
            onCheckIn({
              dogIds: [...coming],
              dogCount: dogs.length > 0 ? null : count,
              stayMinutes: minutes,
            })
          }
        >
          {t('checkIns.sheet.confirm')}
        </Button>
      }
    >
      <div className="grid-5">
        {warning !== null && (
          <p role="alert" className={styles.warning}>
            <Icon of={Clock} />
            {warning}
          </p>
        )}
        {problem !== null && (
          <p className={styles.warning}>
            <Icon of={CircleAlert} />
            {problem}
          </p>
        )}
        {!companions ? (
          <Skeleton height="4rem" />
        ) : dogs.length > 0 ? (
          <CompanionChoice
            dogs={dogs}
            coming={coming}
            onChange={(dogId) => setChosen(toggled(coming, dogId))}
          />
        ) : (
          <Stepper
            label={t('checkIns.sheet.count')}
            value={count}
            most={MAX_UNNAMED_DOGS}
            onChange={setCount}
          />
        )}
        <ChipGroup
          label={t('checkIns.sheet.stay')}
          hint={t('checkIns.sheet.stayHint')}
          options={[
            ...STAY_CHOICES.map((choice) => ({
              value: String(choice),
              label: formatMinutes(choice),
            })),
            { value: OTHER, label: t('checkIns.sheet.other') },
          ]}
          value={typed === null ? stay : OTHER}
          onChange={(value) => {
            setTyped(value === OTHER ? '120' : null);
            if (value !== OTHER) setStay(value);
          }}
        />
        {typed !== null && (
          <TextField
            type="number"
            inputMode="numeric"
            label={t('checkIns.sheet.minutes')}
            min={MIN_STAY}
            max={MAX_STAY}
            value={typed}
            error={isPossible ? null : t('checkIns.sheet.minutesRange', { most: MAX_STAY })}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </div>
    </Sheet>
  );
}
