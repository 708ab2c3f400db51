// /login: login and signup, password reset, the mail-sent screen, and the second factor.
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Credentials, LoginMode } from '#/features/auth/credentials.ts';
import { useMailSent } from '#/features/auth/mail-sent.ts';
import { loggedInByCode } from '#/features/auth/use-auth-link.ts';
import { useT } from '#/i18n/i18n.ts';
import { useDraft } from '#/entities/drafts/use-draft.ts';
import { type ContinueAfterLogin, readIntent } from '#/data/session/intent.ts';
import { useSession } from '#/data/session/session.ts';
import { AuthFrame } from './auth-frame.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { MailSentScreen } from './mail-sent-screen.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SecondFactorScreen } from './second-factor-screen.tsx';
import styles from './login-screen.module.css';

const EMPTY: Credentials = { email: '', password: '', name: '', ageConfirmed: false };

interface LoginScreenProps {
  mode: LoginMode;
  continueAfterLogin: ContinueAfterLogin;
}

export function LoginScreen({ mode, continueAfterLogin }: LoginScreenProps) {
  const t = useT();
  const router = useRouter();
  const { status, userId } = useSession();
  const [mail, setMail] = useMailSent();
  // Only the form's state contains the password; the draft does not.
  const form = useDraft('credentials', { ...EMPTY, email: mail?.email ?? '' });
  const [password, setPassword] = useState('');
  const [recovering, setRecovering] = useState(false);

  const drop = useEffectEvent(form.drop);
  useEffect(() => {
    if (status !== 'in' || !userId) return;
    // Do not leave the form if a logged-in user requests a new password, for example because the reset link was invalid.
    if (mode === 'forgot' && !recovering) return;
    drop();
    if (recovering) void router.navigate({ to: '/update-password', replace: true });
    else void continueAfterLogin(router, readIntent(userId), `/profile/${userId}`);
  }, [status, userId, mode, router, recovering, continueAfterLogin]);

  if (status === 'secondFactor') return <SecondFactorScreen />;
  if (mail)
    return (
      <MailSentScreen
        {...mail}
        onEntered={() => {
          if (mail.type === 'recovery') loggedInByCode();
          setRecovering(mail.type === 'recovery');
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
        values={{ ...form.draft, password }}
        onChange={(values) => {
          setPassword(values.password);
          form.setDraft({ ...values, password: '' });
        }}
        onMail={(type) => setMail({ type, email: form.draft.email.trim() })}
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
