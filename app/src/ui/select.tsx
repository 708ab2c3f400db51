// A native select.
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Field, type FieldTexts, partFieldProps } from '#/ui/field.tsx';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import styles from './field.module.css';

export interface Option<T extends string = string> {
  value: T;
  label: string;
}

interface SelectProps<T extends string>
  extends FieldTexts, Omit<ComponentProps<'select'>, 'id' | 'children' | 'onChange' | 'value'> {
  options: readonly Option<T>[];
  value: T | '';
  onChange: (value: T) => void;
  placeholder?: string;
  icon?: LucideIcon;
}

export function Select<T extends string>({
  options,
  value,
  onChange,
  placeholder,
  icon,
  ...props
}: SelectProps<T>) {
  const { field, own } = partFieldProps(props);
  return (
    <Field {...field}>
      {(control) => (
        <span className={styles.box}>
          {icon && <Icon of={icon} className={styles.leading} />}
          <select
            {...control}
            {...own}
            value={value}
            onChange={(event) => onChange(event.target.value as T)}
            className={classNames(styles.control, icon && styles.withLeading, styles.withTrailing)}
          >
            {placeholder !== undefined && (
              <option value="" disabled={!field.optional}>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <span className={styles.chevron}>
            <Icon of={ChevronDown} />
          </span>
        </span>
      )}
    </Field>
  );
}
