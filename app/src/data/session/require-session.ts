// Redirects visitors away from protected routes.
import { redirect } from '@tanstack/react-router';
import { readLocal } from '#/platform/local-settings.ts';
import { sessionReady } from '#/data/session/session.ts';

/** For `beforeLoad` of a protected route. Throws a redirect to /, or to /user-deleted right after the account was deleted. */
export async function requireSession(): Promise<{ userId: string }> {
  const { status, userId } = await sessionReady();
  if (status === 'in' && userId) return { userId };
  if (status === 'secondFactor') throw redirect({ to: '/login' });
  throw redirect({ to: readLocal('userDeleted') ? '/user-deleted' : '/' });
}
