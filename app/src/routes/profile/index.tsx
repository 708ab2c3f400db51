// /profile: one's own, as links from elsewhere say it; for who is not logged in, the login.
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
