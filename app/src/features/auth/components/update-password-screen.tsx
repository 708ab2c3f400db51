// /update-password: sets a new password after a reset link.
import { useNavigate } from '@tanstack/react-router';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useAuthLink } from '#/features/auth/use-auth-link.ts';
import { errorText } from '#/i18n/errors.ts';
import { useT } from '#/i18n/i18n.ts';
import { authErrorField, toAuthError } from '#/data/session/auth-errors.ts';
import { saveNewPassword } from '#/data/session/auth-call.ts';
import { useSession } from '#/data/session/session.ts';
import { nativePlatform } from '#/platform/native.ts';
import { Button, ButtonAnchor, ButtonLink } from '#/ui/button.tsx';
import { showPopup } from '#/ui/popup.ts';
import { TextField } from '#/ui/text-field.tsx';
import { useOneField } from '#/ui/use-one-field.ts';
import { useSubmit } from '#/ui/use-submit.ts';
import { LinkWait } from './link-wait.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { FormProblem } from './form-problem.tsx';
import { SecondFactorScreen } from './second-factor-screen.tsx';

export function UpdatePasswordScreen() {
  const t = useT();
  const link = useAuthLink(true);
  const { status } = useSession();
  if (link.state === 'waiting' || status === 'unknown') return <LinkWait />;
  if (link.state === 'offered')
    return <OfferedAccountScreen email={link.email} accept={link.accept} />;
  // Report a failed link even to a logged-in user, because it may be for another account.
  if (status === 'out' || link.state === 'failed')
    return (
      <AuthFrame
        pose="sniffing"
        card={false}
        title={t('auth.updatePassword.title')}
        text={t('auth.updatePassword.invalidLink')}
      >
        {/* If the native app requested the mail, only the app can use its code. */}
        {link.state === 'failed' && link.code && !nativePlatform() && (
          <ButtonAnchor
            href={`packpark://update-password?code=${encodeURIComponent(link.code)}`}
            wide
            icon={Smartphone}
          >
            {t('ui.openApp')}
          </ButtonAnchor>
        )}
        <ButtonLink
          to="/login"
          search={{ mode: 'forgot' }}
          wide
          variant={link.state === 'failed' && link.code ? 'secondary' : 'primary'}
        >
          {t('auth.updatePassword.request')}
        </ButtonLink>
      </AuthFrame>
    );

  if (status === 'secondFactor') return <SecondFactorScreen />;
  return (
    <AuthFrame title={t('auth.updatePassword.title')} text={t('auth.updatePassword.text')}>
      <NewPasswordForm />
    </AuthFrame>
  );
}

/** Asks for confirmation before logging in, because an attacker may send a link to their own account and read what the victim then enters. */
function OfferedAccountScreen({ email, accept }: { email: string; accept: () => Promise<void> }) {
  const t = useT();
  const { busy, onSubmit } = useSubmit(accept);
  return (
    <AuthFrame
      pose="sniffing"
      title={t('auth.updatePassword.title')}
      text={t('auth.updatePassword.whose', { email })}
    >
      <form className="column-4" onSubmit={onSubmit}>
        <Button type="submit" wide busy={busy}>
          {t('auth.updatePassword.mine')}
        </Button>
        <ButtonLink to="/" wide variant="secondary">
          {t('auth.updatePassword.notMine')}
        </ButtonLink>
      </form>
    </AuthFrame>
  );
}

function NewPasswordForm() {
  const t = useT();
  const navigate = useNavigate();
  const { userId, email } = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  const password = useOneField(async (value, { reject }) => {
    if (value === '') return reject(t('auth.form.newPasswordMissing'));
    setProblem(null);
    try {
      await saveNewPassword(value);
      showPopup({ text: t('auth.updatePassword.saved') });
      await navigate({ href: `/profile/${userId ?? ''}`, replace: true });
    } catch (thrown) {
      const error = toAuthError(thrown);
      if (authErrorField(error) === 'password') reject(t(error.key));
      else setProblem(errorText(error));
    }
  });
  return (
    <form noValidate className="column-4" onSubmit={password.onSubmit}>
      <FormProblem text={problem} />
      {/* Password managers read the account's name from this field. */}
      <input hidden readOnly autoComplete="username" value={email ?? ''} />
      <TextField
        label={t('auth.updatePassword.title')}
        type="password"
        autoComplete="new-password"
        {...password.text}
      />
      <Button type="submit" wide busy={password.busy}>
        {t('auth.updatePassword.save')}
      </Button>
    </form>
  );
}
