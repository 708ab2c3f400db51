// Guards all profile routes: only for logged-in users who may see the profile.
import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { AppError } from '#/core/app-error.ts';
import { toAppError } from '#/i18n/errors.ts';
import { loadOrOffline } from '#/data/load-or-offline.ts';
import { readLocal } from '#/platform/local-settings.ts';
import { requireSession } from '#/data/session/require-session.ts';
import { endSession, sessionReady, isRefreshPending } from '#/data/session/session.ts';

const LOGIN = '/login?mode=login';

export const Route = createFileRoute('/profile/$id')({
  beforeLoad: async () => {
    // When a session expires, this guard runs again while the loader redirects to the login, so it must redirect there, too.
    const { ended } = await sessionReady();
    if (ended === 'expired' && readLocal('userDeleted') === null) throw redirect({ href: LOGIN });
    return requireSession();
  },
  loader: async ({ context, params }) => {
    try {
      await loadOrOffline(context.queryClient, userPageQueryOptions(params.id));
    } catch (error) {
      const known = toAppError(error);
      if (known.status === 401 && !isRefreshPending()) {
        await endSession('expired');
        throw redirect({ href: LOGIN });
      }
      // The profile is not cached, and the server or a new token is unavailable. The error screen shows a 503 as offline.
      if (known.status === 503 || known.status === 401)
        throw new AppError('errors.offline', 503, { cause: error });
      throw known;
    }
  },
  component: Outlet,
});
