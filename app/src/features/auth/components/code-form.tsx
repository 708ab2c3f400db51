// Asks for six digits, or for a recovery code, and says so when they are wrong.
import { type ReactNode, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { authErrorField, toAuthError } from '#/data/session/auth-errors.ts';
import { Button } from '#/ui/button.tsx';
import { CODE_LENGTH, CodeField } from '#/ui/code-field.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { TextField } from '#/ui/text-field.tsx';
import { useSubmit } from '#/ui/use-submit.ts';
import { FormProblem } from './form-problem.tsx';

interface CodeFormProps {
  /** Does what the code allows; what it throws is shown. */
  onCode: (code: string) => Promise<void>;
  label: string;
  /** The label of a field for any text, in place of the one for six digits. */
  textLabel?: string;
  children?: ReactNode;
}

export function CodeForm({ onCode, label, textLabel, children }: CodeFormProps) {
  const t = useT();
  const [code, setCode] = useState('');
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async () => {
    if (textLabel === undefined && code.length < CODE_LENGTH) {
      setFieldError(t('ui.code.missing'));
      focusFirstProblem();
      return;
    }
    setProblem(null);
    try {
      await onCode(code);
    } catch (thrown) {
      const error = toAuthError(thrown);
      // The service answers wrong and expired codes with the same error code.
      const wrong = authErrorField(error) === 'code' || error.key === 'errors.otp_expired';
      if (wrong) {
        setFieldError(
          t(textLabel ? 'auth.secondFactor.recoveryWrong' : 'errors.mfa_verification_failed'),
        );
        focusFirstProblem();
      } else setProblem(t(error.key));
    }
  };

  const { busy, onSubmit } = useSubmit(submit);
  const change = (next: string) => {
    setCode(next);
    setFieldError(null);
  };

  return (
    <form noValidate className="column-4" onSubmit={onSubmit}>
      <FormProblem text={problem} />
      {textLabel === undefined ? (
        <CodeField value={code} error={fieldError} onChange={change} />
      ) : (
        <TextField
          label={textLabel}
          dir="ltr"
          autoComplete="off"
          value={code}
          error={fieldError}
          onChange={(event) => change(event.target.value)}
        />
      )}
      <Button type="submit" wide busy={busy}>
        {label}
      </Button>
      {children}
    </form>
  );
}
