// A checkbox, and a switch that takes effect immediately; both are native checkboxes.
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { FieldNote } from '#/ui/field.tsx';
import styles from './checkbox.module.css';

interface CheckboxProps extends Omit<
  ComponentProps<'input'>,
  'id' | 'type' | 'children' | 'onChange'
> {
  label: ReactNode;
  hint?: string | undefined;
  error?: string | null;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export const Checkbox = (props: CheckboxProps) => <Tick {...props} look="checkbox" />;

/** For settings that take effect immediately; the switch is at the end of the row. */
export const Switch = (props: CheckboxProps) => <Tick {...props} look="switch" />;

function Tick({
  label,
  hint,
  error,
  onChange,
  look,
  className,
  ...rest
}: CheckboxProps & { look: 'checkbox' | 'switch' }) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className={classNames(styles.row, look === 'switch' && styles.switchRow, className)}>
      <input
        {...rest}
        id={id}
        type="checkbox"
        role={look === 'switch' ? 'switch' : undefined}
        aria-describedby={error || hint ? noteId : undefined}
        aria-invalid={error ? true : rest['aria-invalid']}
        className={look === 'switch' ? styles.switch : styles.checkbox}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div className={styles.texts}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        <FieldNote id={noteId} hint={hint} error={error} />
      </div>
    </div>
  );
}
