// /login: login and signup, a forgotten password, the mail that was sent, and the second factor.
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Credentials, type LoginMode, safeNext } from '#/features/auth/credentials.ts';
import { useMailSent } from '#/features/auth/mail-sent.ts';
import { arriveByCode } from '#/features/auth/use-arrival.ts';
import { useT } from '#/i18n/i18n.ts';
import { useSession } from '#/data/session/session.ts';
import { AuthFrame } from './auth-frame.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { MailSentScreen } from './mail-sent-screen.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SecondFactorScreen } from './second-factor-screen.tsx';
import styles from './login-screen.module.css';

const EMPTY: Credentials = { email: '', password: '', name: '', ageConfirmed: false };

/** Outlives the form while the person reads the terms; a password is never stored outside the form. */
let draft: Credentials = EMPTY;

interface LoginScreenProps {
  mode: LoginMode;
  /** Where to go once logged in; the profile where it is missing or not ours. */
  next: string | undefined;
}

export function LoginScreen({ mode, next }: LoginScreenProps) {
  const t = useT();
  const navigate = useNavigate();
  const { status, userId } = useSession();
  const [mail, setMail] = useMailSent();
  const [values, setValues] = useState(() => ({
    ...draft,
    email: draft.email || (mail?.email ?? ''),
  }));
  const [recovering, setRecovering] = useState(false);

  useEffect(() => {
    draft = { ...values, password: '' };
  }, [values]);

  useEffect(() => {
    if (status !== 'in' || !userId) return;
    // Who is logged in may ask for a new password too: their reset link may have been no good.
    if (mode === 'forgot' && !recovering) return;
    draft = EMPTY;
    const target = recovering ? '/update-password' : (safeNext(next) ?? `/profile/${userId}`);
    void navigate({ href: target, replace: true });
  }, [status, userId, mode, next, navigate, recovering]);

  if (status === 'secondFactor') return <SecondFactorScreen />;
  if (mail)
    return (
      <MailSentScreen
        {...mail}
        onEntered={() => {
          if (mail.kind === 'recovery') arriveByCode();
          setRecovering(mail.kind === 'recovery');
        }}
        onBack={() => setMail(null)}
      />
    );
  return (
    <AuthFrame
      pose={mode === 'forgot' ? 'sniffing' : 'sitting'}
      title={t(`auth.login.${mode}Title`)}
      text={t(`auth.login.${mode}Text`)}
    >
      {mode !== 'forgot' && <ModeSwitch mode={mode} />}
      <CredentialsForm
        mode={mode}
        values={values}
        onChange={setValues}
        onMail={(kind) => setMail({ kind, email: values.email.trim() })}
      />
      {mode === 'forgot' ? (
        <Link
          to="/login"
          search={(now) => ({ ...now, mode: 'login' as const })}
          className={styles.back}
        >
          {t('auth.login.back')}
        </Link>
      ) : (
        <ProviderButtons />
      )}
    </AuthFrame>
  );
}

function ModeSwitch({ mode }: { mode: LoginMode }) {
  const t = useT();
  return (
    <nav aria-label={t('auth.login.switch')} className={styles.modes}>
      {(['login', 'signup'] as const).map((name) => (
        <Link
          key={name}
          to="/login"
          replace
          search={(now) => ({ ...now, mode: name })}
          className={styles.mode}
          aria-current={mode === name ? 'page' : undefined}
        >
          {t(`auth.login.${name}`)}
        </Link>
      ))}
    </nav>
  );
}
