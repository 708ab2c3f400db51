// What every form field shares: its label above, a hint or an error beside it, and the aria that ties them.
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
  /** Translated; its presence marks the field as invalid. */
  error?: string | null | undefined;
  optional?: boolean;
  /** The label is only read aloud, where the place already says it (a search box). */
  labelHidden?: boolean;
}

interface OfField extends FieldTexts {
  className?: string | undefined;
}

/** Parts the properties of a control into those of its field and the rest, which is the element's own. */
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
  /** Of the hint or error, for a control within that says it, too. */
  noteId?: string;
  children: ReactNode;
}

/** Several controls that are one field: their legend above, a hint or an error below. */
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
