// Selects one of a few views or values, side by side.
import { useId } from 'react';
import type { ChipOption } from '#/ui/chip-group.tsx';
import { FieldGroup } from '#/ui/field.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './segmented-control.module.css';

interface SegmentedControlProps<T extends string> {
  label: string;
  /** True if the label is visible; otherwise it is only for screen readers. */
  labelShown?: boolean;
  options: readonly ChipOption<T>[];
  value: T;
  onChange: (value: T) => void;
}

export function SegmentedControl<T extends string>({
  label,
  labelShown = false,
  options,
  value,
  onChange,
}: SegmentedControlProps<T>) {
  const name = useId();
  return (
    <FieldGroup label={label} labelHidden={!labelShown}>
      <div className={styles.track}>
        {options.map((option) => (
          <label key={option.value} className={styles.segment}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className={styles.input}
            />
            {option.icon && <Icon of={option.icon} size={18} />}
            <span lang={option.lang}>{option.label}</span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
