// Options as chips, for one or several choices; native radios or checkboxes.
import { useId } from 'react';
import { FieldGroup, type FieldTexts } from '#/ui/field.tsx';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import styles from './chip-group.module.css';

export interface ChipOption<T extends string = string> {
  value: T;
  label: string;
  icon?: LucideIcon;
  /** Language of the label if it differs from the screen's. */
  lang?: string;
}

interface Shared<T extends string> extends FieldTexts {
  options: readonly ChipOption<T>[];
}

interface Several<T extends string> extends Shared<T> {
  multiple: true;
  value: readonly T[];
  onChange: (value: T[]) => void;
}

interface One<T extends string> extends Shared<T> {
  multiple?: false;
  value: T | null;
  onChange: (value: T) => void;
}

export function ChipGroup<T extends string>(props: Several<T> | One<T>) {
  const { label, hint, error, labelHidden, options } = props;
  const id = useId();
  const isChosen = (value: T) =>
    props.multiple ? props.value.includes(value) : props.value === value;
  const choose = (value: T) => {
    if (!props.multiple) props.onChange(value);
    else if (props.value.includes(value)) props.onChange(props.value.filter((v) => v !== value));
    else props.onChange([...props.value, value]);
  };
  return (
    <FieldGroup label={label} hint={hint} error={error} labelHidden={labelHidden ?? false}>
      <div className={styles.chips}>
        {options.map((option) => (
          <label key={option.value} className={styles.chip}>
            <input
              type={props.multiple ? 'checkbox' : 'radio'}
              name={id}
              value={option.value}
              checked={isChosen(option.value)}
              aria-invalid={error ? true : undefined}
              onChange={() => choose(option.value)}
              className={styles.input}
            />
            {option.icon && <Icon of={option.icon} size={18} />}
            {option.label}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
