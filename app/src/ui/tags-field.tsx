// A list of short texts as chips. Enter or a comma adds one; the remove button or Backspace removes one.
import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { Field, type FieldTexts } from '#/ui/field.tsx';
import { Icon } from '#/ui/icon.tsx';
import fieldStyles from './field.module.css';
import styles from './tags-field.module.css';

interface TagsFieldProps extends FieldTexts {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
}

const MAX_TAG = 40;

export function TagsField({ tags, onChange, ...texts }: TagsFieldProps) {
  const t = useT();
  const [typed, setTyped] = useState('');

  const add = (text: string) => {
    const fresh = text
      .split(/[,،]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry && !tags.includes(entry));
    if (fresh.length > 0) onChange([...tags, ...new Set(fresh)]);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && typed.trim()) {
      event.preventDefault();
      add(typed);
    } else if (event.key === 'Backspace' && typed === '' && tags.length > 0) {
      onChange(tags.slice(0, -1));
    }
  };

  return (
    <Field {...texts}>
      {(control) => (
        <span className="wrap-2">
          {tags.map((tag) => (
            <span key={tag} className={styles.tag}>
              <bdi>{tag}</bdi>
              <button
                type="button"
                className={styles.remove}
                aria-label={t('ui.tags.remove', { tag })}
                onClick={() => onChange(tags.filter((other) => other !== tag))}
              >
                <Icon of={X} size={16} />
              </button>
            </span>
          ))}
          <input
            {...control}
            dir="auto"
            value={typed}
            maxLength={MAX_TAG}
            enterKeyHint="done"
            className={`${fieldStyles.control} ${styles.input}`}
            onChange={(event) => {
              if (/[,،]/.test(event.target.value)) add(event.target.value);
              else setTyped(event.target.value);
            }}
            onBlur={() => add(typed)}
            onKeyDown={onKeyDown}
          />
        </span>
      )}
    </Field>
  );
}
