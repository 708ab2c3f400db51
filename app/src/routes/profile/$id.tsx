// Guards everything below a person's address: only for logged-in callers who may see the page.
import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { AppError } from '#/core/app-error.ts';
import { toAppError } from '#/i18n/errors.ts';
import { loadOrOffline } from '#/data/load-or-offline.ts';
import { readLocal } from '#/platform/local-settings.ts';
import { requireSession } from '#/data/session/require-session.ts';
import { endSession, sessionReady, isRenewalPending } from '#/data/session/session.ts';

const LOGIN = '/login?mode=login';

export const Route = createFileRoute('/profile/$id')({
  beforeLoad: async () => {
    // The end of the session asks this guard again, while the loader leads to the login: both lead there.
    const { ended } = await sessionReady();
    if (ended === 'expired' && readLocal('userDeleted') === null) throw redirect({ href: LOGIN });
    return requireSession();
  },
  loader: async ({ context, params }) => {
    try {
      await loadOrOffline(context.queryClient, userPageQueryOptions(params.id));
    } catch (error) {
      const known = toAppError(error);
      if (known.status === 401 && !isRenewalPending()) {
        await endSession('expired');
        throw redirect({ href: LOGIN });
      }
      // Without a network and without a copy: 503 'Offline', which the error screen knows.
      if (known.status === 503 || known.status === 401)
        throw new AppError('errors.offline', 503, { cause: error });
      throw known;
    }
  },
  component: Outlet,
});
