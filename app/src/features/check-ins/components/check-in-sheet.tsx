// Who comes along and for how long: asked before a check-in.
import { useState } from 'react';
import { Stepper } from '#/features/check-ins/components/stepper.tsx';
import { DEFAULT_STAY, MOST_DOGS, STAY_CHOICES } from '#/features/check-ins/stay.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { formatMinutes } from '#/features/check-ins/format-minutes.ts';
import { Button } from '#/ui/button.tsx';
import { ChipGroup } from '#/ui/chip-group.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './check-in-sheet.module.css';

/** One of my dogs. */
export interface Companion {
  id: string;
  name: string;
}

export interface Visit {
  dogIds: string[];
  dogCount: number | null;
  stayMinutes: number;
}

interface CheckInSheetProps {
  open: boolean;
  /** My dogs; undefined while they are on their way. */
  companions: readonly Companion[] | undefined;
  busy: boolean;
  onClose: () => void;
  onCheckIn: (visit: Visit) => void;
}

export function CheckInSheet({ open, ...rest }: CheckInSheetProps) {
  return open ? <OpenSheet {...rest} /> : null;
}

function OpenSheet({ companions, busy, onClose, onCheckIn }: Omit<CheckInSheetProps, 'open'>) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const dogs = companions ?? [];
  /** All dogs come along until the person says otherwise. */
  const [left, setLeft] = useState<readonly string[]>([]);
  const [count, setCount] = useState(1);
  const [stay, setStay] = useState<string>(String(DEFAULT_STAY));
  const coming = dogs.filter((dog) => !left.includes(dog.id)).map((dog) => dog.id);
  const nobody = dogs.length > 0 && coming.length === 0;
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('checkIns.sheet.title')}
      footer={
        <Button
          busy={busy}
          disabled={nobody || !companions}
          onClick={() => {
            onCheckIn({
              dogIds: coming,
              dogCount: dogs.length > 0 ? null : count,
              stayMinutes: Number(stay),
            });
          }}
        >
          {t('checkIns.sheet.confirm')}
        </Button>
      }
    >
      <div className={styles.questions}>
        {!companions ? (
          <Skeleton height="4rem" />
        ) : dogs.length > 0 ? (
          <ChipGroup
            multiple
            label={t('checkIns.sheet.dogs')}
            options={dogs.map((dog) => ({ value: dog.id, label: dog.name }))}
            value={coming}
            onChange={(chosen) => {
              setLeft(dogs.filter((dog) => !chosen.includes(dog.id)).map((dog) => dog.id));
            }}
            error={nobody ? t('checkIns.sheet.noDog') : null}
          />
        ) : (
          <Stepper
            label={t('checkIns.sheet.count')}
            value={count}
            least={1}
            most={MOST_DOGS}
            onChange={setCount}
          />
        )}
        <ChipGroup
          label={t('checkIns.sheet.stay')}
          hint={t('checkIns.sheet.stayHint')}
          options={STAY_CHOICES.map((minutes) => ({
            value: String(minutes),
            label: formatMinutes(minutes, locale),
          }))}
          value={stay}
          onChange={setStay}
        />
      </div>
    </Sheet>
  );
}
