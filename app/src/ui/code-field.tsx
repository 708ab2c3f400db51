// A field for a six-digit code: typed, pasted or filled in by the phone.
import { useT } from '#/i18n/i18n.ts';
import { TextField } from '#/ui/text-field.tsx';
import styles from './code-field.module.css';

/** Digits of a code from a mail or an authenticator app. */
export const CODE_LENGTH = 6;

interface CodeFieldProps {
  value: string;
  onChange: (code: string) => void;
  error: string | null;
}

export function CodeField({ value, onChange, error }: CodeFieldProps) {
  const t = useT();
  return (
    <TextField
      className={styles.code}
      label={t('ui.code.label')}
      value={value}
      error={error}
      type="tel"
      inputMode="numeric"
      autoComplete="one-time-code"
      // Longer than a code, because pasted text may contain spaces and other characters.
      maxLength={CODE_LENGTH * 2}
      onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, '').slice(0, CODE_LENGTH))}
    />
  );
}
