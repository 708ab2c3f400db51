// /email-callback: confirms the email and continues in the native app or in the browser.
import { Navigate, useRouter } from '@tanstack/react-router';
import { Smartphone, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import { type ContinueAfterLogin, readIntent } from '#/data/session/intent.ts';
import { useSession } from '#/data/session/session.ts';
import { Button, ButtonAnchor, ButtonLink } from '#/ui/button.tsx';
import { useAuthLink } from '#/features/auth/use-auth-link.ts';
import { AuthFrame } from './auth-frame.tsx';
import { LinkWait } from './link-wait.tsx';

/** If the native app requested the mail, only it has the verifier for the code. */
const appLink = (code: string | null): string =>
  code ? `packpark://email-callback?code=${encodeURIComponent(code)}` : 'packpark://profile';

interface EmailCallbackProps {
  continueAfterLogin: ContinueAfterLogin;
}

export function EmailCallbackScreen({ continueAfterLogin }: EmailCallbackProps) {
  const t = useT();
  const link = useAuthLink();
  const { status, userId } = useSession();
  const router = useRouter();
  // Read the intent before the login, because the tab that waits for the login continues with it and clears it.
  const [intent] = useState(readIntent);
  if (link.state === 'waiting') return <LinkWait />;
  // A link opened on another device confirms the address, but only the first device can log in with it.
  const elsewhere =
    link.state === 'failed' && link.error.key === 'errors.otp_expired' && link.code !== null;
  if (link.state === 'opened' && link.isHalf)
    return (
      <AuthFrame title={t('auth.emailCallback.halfTitle')} text={t('auth.emailCallback.halfText')}>
        <ButtonLink to="/" wide>
          {t('ui.toMap')}
        </ButtonLink>
      </AuthFrame>
    );
  // The page was opened without a code, so nothing was verified.
  if (link.state === 'opened' && !link.verified)
    return <Navigate to={link.loggedIn ? '/' : '/login'} replace />;
  if (link.state === 'failed' && !elsewhere)
    return (
      <AuthFrame
        pose="sniffing"
        title={t('auth.emailCallback.failedTitle')}
        text={errorText(link.error)}
      >
        <ButtonLink to="/login" search={{ mode: 'login' }} wide>
          {t('ui.login')}
        </ButtonLink>
      </AuthFrame>
    );
  return (
    <AuthFrame
      pose="playing"
      title={t('auth.emailCallback.title')}
      text={t('auth.emailCallback.text')}
    >
      <div className="column-3">
        {status === 'in' && userId ? (
          <Button
            wide
            icon={UserRound}
            onClick={() => void continueAfterLogin(router, intent, `/profile/${userId}`)}
          >
            {t(intent ? 'auth.emailCallback.goOn' : 'auth.emailCallback.profile')}
          </Button>
        ) : (
          <ButtonLink to="/login" search={{ mode: 'login' }} wide>
            {t('ui.login')}
          </ButtonLink>
        )}
        <ButtonAnchor
          href={appLink(elsewhere ? link.code : null)}
          wide
          variant="secondary"
          icon={Smartphone}
        >
          {t('auth.emailCallback.openApp')}
        </ButtonAnchor>
      </div>
    </AuthFrame>
  );
}
