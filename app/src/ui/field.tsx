// Parts that all form fields share: the label, a hint or error, and the ARIA attributes that connect them.
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import { useErrorTitle } from '#/ui/use-title.ts';
import styles from './field.module.css';

export interface FieldTexts {
  label: string;
  hint?: string | undefined;
  /** Translated; if set, the field is marked as invalid. */
  error?: string | null | undefined;
  optional?: boolean;
  /** True if the label is only for screen readers, for example of a search box. */
  labelHidden?: boolean;
}

interface OfField extends FieldTexts {
  className?: string | undefined;
}

/** Splits the properties of a control into those of its field and those of its element. */
export function partFieldProps<Props extends OfField>({
  label,
  hint,
  error,
  optional = false,
  labelHidden = false,
  className,
  ...own
}: Props) {
  return { field: { label, hint, error, optional, labelHidden, className }, own };
}

interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps extends OfField {
  children: (control: ControlProps) => ReactNode;
}

export function Field({
  label,
  hint,
  error,
  optional,
  labelHidden,
  className,
  children,
}: FieldProps) {
  const t = useT();
  const id = useId();
  const noteId = `${id}-note`;
  const described = error || hint ? noteId : undefined;
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={labelHidden ? 'visually-hidden' : styles.label}>
        {label}
        {optional && <span className={styles.optional}> {t('ui.field.optional')}</span>}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  );
}

interface FieldGroupProps extends Omit<OfField, 'optional'> {
  /** ID of the hint or error, for a control that refers to it as well. */
  noteId?: string;
  children: ReactNode;
}

/** Several controls that are one field: a legend above, a hint or error below. */
export function FieldGroup({
  label,
  hint,
  error,
  labelHidden,
  className,
  noteId: givenId,
  children,
}: FieldGroupProps) {
  const ownId = useId();
  const noteId = givenId ?? ownId;
  return (
    <fieldset
      className={classNames(styles.group, className)}
      aria-describedby={error || hint ? noteId : undefined}
    >
      <legend className={labelHidden ? 'visually-hidden' : styles.legend}>{label}</legend>
      {children}
      <FieldNote id={noteId} hint={hint} error={error} />
    </fieldset>
  );
}

export function FieldNote({
  id,
  hint,
  error,
}: {
  id: string;
  hint: string | undefined;
  error: string | null | undefined;
}) {
  useErrorTitle(Boolean(error));
  if (error)
    return (
      <p id={id} className={styles.error}>
        <Icon of={CircleAlert} size={16} />
        <span>{error}</span>
      </p>
    );
  return hint ? (
    <p id={id} className={styles.hint}>
      {hint}
    </p>
  ) : null;
}
