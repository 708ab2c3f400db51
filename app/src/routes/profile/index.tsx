// /profile: redirects to the user's own profile, or to the login.
import { createFileRoute, redirect } from '@tanstack/react-router';
import { sessionReady } from '#/data/session/session.ts';

export const Route = createFileRoute('/profile/')({
  beforeLoad: async () => {
    const { status, userId } = await sessionReady();
    throw redirect({
      href: status === 'in' && userId ? `/profile/${userId}` : '/login?mode=login',
    });
  },
});
