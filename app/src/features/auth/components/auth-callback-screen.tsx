// /auth-callback: waits for the user, then goes on to the profile.
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useArrival } from '#/features/auth/use-arrival.ts';
import { errorText } from '#/i18n/errors.ts';
import { fetchOwnUser, useSession } from '#/data/session/session.ts';
import { showToast } from '#/ui/toast.ts';
import { ArrivalWait } from './arrival-wait.tsx';

export function AuthCallbackScreen() {
  const navigate = useNavigate();
  const arrival = useArrival();
  const { status, userId } = useSession();
  useEffect(() => {
    if (arrival.state === 'waiting' || arrival.state === 'offered') return;
    const go = (href: string) => void navigate({ href, replace: true });
    if (arrival.state === 'failed') {
      showToast(errorText(arrival.error), { kind: 'error' });
      go('/');
    } else if (status === 'in' && userId)
      void fetchOwnUser().then((found) => go(found ? `/profile/${userId}` : '/login?mode=login'));
    else go(status === 'secondFactor' ? '/login?mode=login' : '/');
  }, [arrival, status, userId, navigate]);
  return <ArrivalWait />;
}
