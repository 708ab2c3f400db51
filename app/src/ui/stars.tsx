// A rank of 1 to 5 as stars: display and input.
import { Star } from 'lucide-react';
import { useId } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { FieldGroup } from '#/ui/field.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './stars.module.css';

const RANKS = [1, 2, 3, 4, 5] as const;

/** Shows a rank, including fractions. @param rank 0 to 5 */
export function Stars({ rank, size = 16 }: { rank: number; size?: number }) {
  const t = useT();
  const percent = Math.max(0, Math.min(100, (rank / RANKS.length) * 100));
  return (
    <span
      className={styles.stars}
      role="img"
      aria-label={t('ui.stars.rank', { rank: Math.round(rank * 10) / 10 })}
    >
      <Row size={size} />
      <span className={styles.full} style={{ inlineSize: `${percent}%` }}>
        <Row size={size} />
      </span>
    </span>
  );
}

function Row({ size }: { size: number }) {
  return (
    <span className={styles.row}>
      {RANKS.map((rank) => (
        <Icon key={rank} of={Star} size={size} />
      ))}
    </span>
  );
}

interface StarsInputProps {
  label: string;
  value: number | null;
  onChange: (rank: number) => void;
  error?: string | null;
}

/** Selects a rank of 1 to 5 with radios, so that arrow keys work. */
export function StarsInput({ label, value, onChange, error }: StarsInputProps) {
  const t = useT();
  const name = useId();
  return (
    <FieldGroup label={label} error={error}>
      <div className={styles.choices}>
        {RANKS.map((rank) => (
          <label key={rank} className={styles.choice} data-on={value !== null && rank <= value}>
            <input
              type="radio"
              name={name}
              value={rank}
              checked={rank === value}
              aria-invalid={error ? true : undefined}
              onChange={() => onChange(rank)}
              className={styles.input}
            />
            <span className="visually-hidden">{t('ui.stars.choose', { rank })}</span>
            <Icon of={Star} size={32} />
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

interface StarButtonsProps {
  label: string;
  value: number | null;
  onChoose: (rank: number) => void;
}

/** A rank of 1 to 5 that is sent on tap: buttons, because arrow keys in radios would select on the way. */
export function StarButtons({ label, value, onChoose }: StarButtonsProps) {
  const t = useT();
  return (
    <FieldGroup label={label}>
      <div className={styles.choices}>
        {RANKS.map((rank) => (
          <button
            key={rank}
            type="button"
            className={styles.choice}
            data-on={value !== null && rank <= value}
            aria-label={t('ui.stars.choose', { rank })}
            onClick={() => onChoose(rank)}
          >
            <Icon of={Star} size={32} />
          </button>
        ))}
      </div>
    </FieldGroup>
  );
}
