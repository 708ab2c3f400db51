// A multi-line text field; grows with its text if the browser supports it.
import type { ComponentProps } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Field, type FieldTexts, partFieldProps } from '#/ui/field.tsx';
import fieldStyles from './field.module.css';
import styles from './text-area.module.css';

type TextAreaProps = FieldTexts & Omit<ComponentProps<'textarea'>, 'id' | 'children'>;

export function TextArea({ rows = 3, ...props }: TextAreaProps) {
  const { field, own } = partFieldProps(props);
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          dir="auto"
          placeholder=" "
          {...own}
          {...control}
          rows={rows}
          className={classNames(fieldStyles.control, styles.area)}
        />
      )}
    </Field>
  );
}
