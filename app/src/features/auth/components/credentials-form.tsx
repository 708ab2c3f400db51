// The form of login, signup and password reset; typed values are kept when switching between them.
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { requestReset, resendConfirmation } from '#/features/auth/commands/mails.ts';
import { signIn } from '#/features/auth/commands/sign-in.ts';
import { signUp } from '#/features/auth/commands/sign-up.ts';
import {
  credentialProblems,
  type Credentials,
  type LoginMode,
  somethingMissing,
} from '#/features/auth/credentials.ts';
import { minimumAge } from '#/entities/users/minimum-age.ts';
import { MAX_NAME } from '#/entities/users/user-limits.ts';
import { errorText } from '#/i18n/errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { authErrorField, toAuthError } from '#/data/session/auth-errors.ts';
import { type FormProblems, useProblem } from '#/ui/form-problems.ts';
import { Button } from '#/ui/button.tsx';
import { Checkbox } from '#/ui/checkbox.tsx';
import { focusFirstProblem } from '#/ui/focus-problem.ts';
import { RichText } from '#/ui/rich-text.tsx';
import { TextField } from '#/ui/text-field.tsx';
import { useSubmit } from '#/ui/use-submit.ts';
import { FormProblem } from './form-problem.tsx';
import { useCaptcha } from './use-captcha.tsx';
import { MAX_EMAIL_LENGTH } from '../../../../../shared/input-lengths.ts';
import styles from './form.module.css';

interface CredentialsFormProps {
  mode: LoginMode;
  values: Credentials;
  onChange: (values: Credentials) => void;
  onMail: (type: 'signup' | 'recovery') => void;
}

export function CredentialsForm({ mode, values, onChange, onMail }: CredentialsFormProps) {
  const t = useT();
  const [problems, setProblems] = useState<FormProblems>({});
  const problemOf = useProblem(problems);
  const [problem, setProblem] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState(false);
  const captcha = useCaptcha();

  const set = (change: Partial<Credentials>) => {
    onChange({ ...values, ...change });
    setProblems((now) =>
      Object.fromEntries(Object.entries(now).filter(([field]) => !(field in change))),
    );
  };

  const submit = async () => {
    const found = credentialProblems(mode, values);
    setProblems(found);
    setProblem(mode !== 'forgot' && somethingMissing(found) ? t('ui.missing') : null);
    if (Object.keys(found).length > 0) return focusFirstProblem();
    if (captcha.missing) return setProblem(t('auth.captcha.missing'));
    setUnconfirmed(false);
    try {
      if (mode === 'login') await signIn(values.email, values.password, captcha.answer);
      else if (mode === 'forgot') {
        await requestReset(values.email, captcha.answer);
        onMail('recovery');
      } else if ((await signUp(values, captcha.answer)) === 'mail') onMail('signup');
    } catch (thrown) {
      const error = toAuthError(thrown);
      const field = authErrorField(error);
      if (field === 'email' || field === 'password') {
        setProblems({ [field]: error.key });
        focusFirstProblem();
      } else setProblem(errorText(error));
      setUnconfirmed(error.key === 'errors.email_not_confirmed');
    } finally {
      captcha.spend();
    }
  };

  const sendAgain = async () => {
    if (captcha.missing) return setProblem(t('auth.captcha.missing'));
    try {
      await resendConfirmation(values.email, captcha.answer);
      onMail('signup');
    } catch (error) {
      setProblem(errorText(toAuthError(error)));
    } finally {
      captcha.spend();
    }
  };

  const { busy, onSubmit } = useSubmit(submit);

  return (
    <form noValidate className="column-4" onSubmit={onSubmit}>
      <FormProblem text={problem} />
      {unconfirmed && (
        <Button variant="secondary" wide onClick={() => void sendAgain()}>
          {t('auth.form.sendConfirmation')}
        </Button>
      )}
      {mode === 'signup' && (
        <TextField
          label={t('auth.form.name')}
          name="name"
          autoComplete="name"
          maxLength={MAX_NAME}
          value={values.name}
          error={problemOf('name')}
          onChange={(event) => set({ name: event.target.value })}
        />
      )}
      <TextField
        label={t('auth.form.email')}
        name="email"
        type="email"
        autoComplete="username"
        maxLength={MAX_EMAIL_LENGTH}
        value={values.email}
        error={problemOf('email')}
        onChange={(event) => set({ email: event.target.value })}
      />
      {mode !== 'forgot' && (
        <TextField
          label={t('ui.password')}
          name="password"
          type="password"
          autoComplete={mode === 'login' ? 'current-password' : 'new-password'}
          value={values.password}
          error={problemOf('password')}
          onChange={(event) => set({ password: event.target.value })}
        />
      )}
      {mode === 'login' && (
        <Link
          to="/login"
          search={(now) => ({ ...now, mode: 'forgot' as const })}
          className={styles.aside}
        >
          {t('auth.form.forgotLink')}
        </Link>
      )}
      {mode === 'signup' && (
        <Checkbox
          label={t('auth.form.age', minimumAge())}
          hint={t('auth.form.ageHint', minimumAge())}
          name="age"
          checked={values.ageConfirmed}
          error={problemOf('ageConfirmed')}
          onChange={(ageConfirmed) => set({ ageConfirmed })}
        />
      )}
      {captcha.widget}
      <Button type="submit" wide busy={busy}>
        {t(`auth.form.${mode}`)}
      </Button>
      {mode === 'signup' && (
        <p className="small-note">
          <RichText
            text={t('auth.form.agree')}
            tags={{
              terms: (text) => <Link to="/terms">{text}</Link>,
              privacy: (text) => <Link to="/privacy-policy">{text}</Link>,
            }}
          />
        </p>
      )}
    </form>
  );
}
