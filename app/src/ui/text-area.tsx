// Several lines of text; grows with what is written where the browser can.
import type { ComponentProps } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Field, type FieldTexts } from '#/ui/field.tsx';
import fieldStyles from './field.module.css';
import styles from './text-area.module.css';

type TextAreaProps = FieldTexts & Omit<ComponentProps<'textarea'>, 'id' | 'children'>;

export function TextArea({
  label,
  hint,
  error,
  optional = false,
  labelHidden = false,
  className,
  rows = 3,
  ...rest
}: TextAreaProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      optional={optional}
      labelHidden={labelHidden}
      className={className}
    >
      {(control) => (
        <textarea
          dir="auto"
          placeholder=" "
          {...rest}
          {...control}
          rows={rows}
          className={classNames(fieldStyles.control, styles.area)}
        />
      )}
    </Field>
  );
}
