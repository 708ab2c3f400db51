// Asks for six digits or a recovery code, and shows an error if they are wrong.
import { type ReactNode, useState } from 'react';
import { errorText } from '#/i18n/errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { authErrorField, toAuthError } from '#/data/session/auth-errors.ts';
import { Button } from '#/ui/button.tsx';
import { CODE_LENGTH, CodeField } from '#/ui/code-field.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useOneField } from '#/ui/use-one-field.ts';
import { FormProblem } from './form-problem.tsx';

interface CodeFormProps {
  /** Called with the entered code; if it throws, the form shows the error. */
  onCode: (code: string) => Promise<void>;
  label: string;
  /** Label of the text field for a recovery code, which replaces the field for six digits. */
  textLabel?: string;
  children?: ReactNode;
}

export function CodeForm({ onCode, label, textLabel, children }: CodeFormProps) {
  const t = useT();
  const [problem, setProblem] = useState<string | null>(null);
  const code = useOneField(async (value, { reject }) => {
    if (textLabel === undefined && value.length < CODE_LENGTH) return reject(t('ui.code.missing'));
    setProblem(null);
    try {
      await onCode(value);
    } catch (thrown) {
      const error = toAuthError(thrown);
      // The service uses the same error code for wrong and expired codes.
      const wrong = authErrorField(error) === 'code' || error.key === 'errors.otp_expired';
      if (wrong)
        reject(t(textLabel ? 'auth.secondFactor.recoveryWrong' : 'errors.mfa_verification_failed'));
      else setProblem(errorText(error));
    }
  });

  return (
    <form noValidate className="column-4" onSubmit={code.onSubmit}>
      <FormProblem text={problem} />
      {textLabel === undefined ? (
        <CodeField {...code.code} />
      ) : (
        <TextField label={textLabel} dir="ltr" autoComplete="off" {...code.text} />
      )}
      <Button type="submit" wide busy={code.busy}>
        {label}
      </Button>
      {children}
    </form>
  );
}
