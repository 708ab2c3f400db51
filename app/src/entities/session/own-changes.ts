// What another device of mine did shows here, too: the queries about it are asked again.
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import type { OwnChangeRow } from '#/data/realtime.ts';
import { fetchOwnUser, getSession } from '#/data/session/session.ts';
import { loadClient } from '#/data/supabase.ts';

const ask = (queryKey: readonly unknown[]) => queryClient.invalidateQueries({ queryKey });

/** Of the parks on the screen: whether they are favourites, and who is there. */
const askStatus = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'parks' && queryKey[2] === 'status',
  });

const FOLLOW: Record<string, (userId: string) => Promise<unknown>> = {
  check_ins: () => Promise.all([ask(parkKeys.myCheckIn), askStatus()]),
  favourite_parks: () => Promise.all([ask(parkKeys.favourites), askStatus()]),
  dogs: (userId) => Promise.all([ask(['dogs']), ask(peopleKeys.page(userId))]),
  notifications: () => Promise.all([ask(peopleKeys.notifications), ask(peopleKeys.meetings)]),
  users: async (userId) => {
    await fetchOwnUser();
    await ask(peopleKeys.page(userId));
  },
  // The client ends its session where the server says that there is none any more.
  sessions: async () => (await loadClient()).auth.getUser(),
};

/** When the last change was that this tab followed. */
let followed: string | null = null;

/** Also called for what this device did itself. */
export function followOwnChange({ changed, changed_at }: OwnChangeRow): void {
  followed = changed_at;
  const { userId } = getSession();
  if (userId === null) return;
  FOLLOW[changed]?.(userId).catch((error: unknown) =>
    console.warn('A change could not be followed:', error),
  );
}

/** Once the channel stands: what changed before is asked for, where the own record says that something did. */
export async function followMissedChanges(): Promise<void> {
  const lastChange = () => getSession().user?.own_changes?.changed_at ?? null;
  followed ??= lastChange();
  if (!(await fetchOwnUser())) return;
  const changed_at = lastChange();
  if (changed_at === null || changed_at === followed) return;
  for (const changed of Object.keys(FOLLOW)) followOwnChange({ changed, changed_at });
}
