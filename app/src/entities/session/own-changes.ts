// Refetches queries after changes that the user made on another device.
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import type { OwnChangeRow } from '#/data/realtime.ts';
import { fetchOwnUser, getSession } from '#/data/session/session.ts';
import { loadClient } from '#/data/supabase.ts';

const ask = (queryKey: readonly unknown[]) => queryClient.invalidateQueries({ queryKey });

/** Refetches the status of the shown parks: favourites and counts. */
const askStatus = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'parks' && queryKey[2] === 'status',
  });

const FOLLOW: Record<string, (userId: string) => Promise<unknown>> = {
  check_ins: () => Promise.all([ask(parkKeys.myCheckIn), askStatus()]),
  favourite_parks: () => Promise.all([ask(parkKeys.favourites), askStatus()]),
  dogs: (userId) => Promise.all([ask(['dogs']), ask(userKeys.page(userId))]),
  notifications: () => Promise.all([ask(userKeys.notifications), ask(userKeys.meetings)]),
  users: async (userId) => {
    await fetchOwnUser();
    await ask(userKeys.page(userId));
  },
  // Check the session with the server: the client ends it if it was revoked.
  sessions: async () => (await loadClient()).auth.getUser(),
};

/** Time of the last change that this tab has handled. */
let followed: string | null = null;

/** Refetches what a change affects. Also called for changes made on this device. */
export function followOwnChange({ changed, changed_at }: OwnChangeRow): void {
  followed = changed_at;
  const { userId } = getSession();
  if (userId === null) return;
  FOLLOW[changed]?.(userId).catch((error: unknown) =>
    console.warn('A change could not be followed:', error),
  );
}

/** Call it once the channel has joined. Refetches everything if the user's row shows a change that this tab has not handled. */
export async function followMissedChanges(): Promise<void> {
  const lastChange = () => getSession().user?.own_changes?.changed_at ?? null;
  followed ??= lastChange();
  if (!(await fetchOwnUser())) return;
  const changed_at = lastChange();
  if (changed_at === null || changed_at === followed) return;
  for (const changed of Object.keys(FOLLOW)) followOwnChange({ changed, changed_at });
}
