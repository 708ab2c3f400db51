// /auth-callback: waits for the session, then continues with the pending intent or opens the profile.
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { noteNewcomer } from '#/features/auth/commands/sign-in.ts';
import { useAuthLink } from '#/features/auth/use-auth-link.ts';
import { type ContinueAfterLogin, readIntent } from '#/data/session/intent.ts';
import { fetchOwnUser, useSession } from '#/data/session/session.ts';
import { showError } from '#/ui/toast.ts';
import { LinkWait } from './link-wait.tsx';

interface AuthCallbackProps {
  continueAfterLogin: ContinueAfterLogin;
}

export function AuthCallbackScreen({ continueAfterLogin }: AuthCallbackProps) {
  const router = useRouter();
  const link = useAuthLink();
  const { status, userId } = useSession();
  useEffect(() => {
    if (link.state === 'waiting' || link.state === 'offered') return;
    const go = (href: string) => void router.navigate({ href, replace: true });
    if (link.state === 'failed') {
      showError(link.error);
      go('/');
    } else if (status === 'in' && userId)
      void fetchOwnUser().then(async (found) => {
        await noteNewcomer();
        if (found) void continueAfterLogin(router, readIntent(userId), `/profile/${userId}`);
        else go('/login?mode=login');
      });
    else go(status === 'secondFactor' ? '/login?mode=login' : '/');
  }, [link, status, userId, router, continueAfterLogin]);
  return <LinkWait />;
}
