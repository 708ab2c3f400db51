// Rules for storing query results on this device across restarts. Other users' locations are never stored.
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { myConsentsKey, ownUserKey } from '#/data/session/own-keys.ts';
import { MAX_MEETING_HOURS } from '#/features/park-invites/invite-limits.ts';
import { HOUR_MS } from '../../shared/durations.ts';
import { OWN_QUERY_MAX_AGE_MS, QUERY_MAX_AGE_MS } from '#/offline/cache-limits.ts';

const startsWith = (key: readonly unknown[], beginning: readonly unknown[]) =>
  beginning.every((part, index) => key[index] === part);

/** True only for the list of the user's meetings; keys of other queries begin with the same part. */
const isMeetings = (key: readonly unknown[]) =>
  key.length === 1 && startsWith(key, userKeys.meetings);

const WHOLE = [parkKeys.favourites, myConsentsKey, parkKeys.myCheckIn];
const OF_PARK = ['park', 'outline', 'status', 'card', 'reviews'];
const USERS = [
  ['dogs'],
  userKeys.friends,
  userKeys.blocks,
  userKeys.unseen,
  userKeys.history,
  userKeys.preferences,
];

/** True for visited pages of parks and users and for the user's own data, but not for live counts, searches or weather. */
export function isCached(key: readonly unknown[]): boolean {
  if ([...WHOLE, ...USERS].some((beginning) => startsWith(key, beginning))) return true;
  if (isMeetings(key)) return true;
  const [area, , what] = key;
  if (area === 'parks') return typeof key[1] === 'number' && OF_PARK.includes(String(what));
  return area === 'users' && (what === 'page' || what === 'reviews' || what === 'own');
}

/** True for the user's own data: record, page, dogs, favourites and consents. @param data the query result */
export function isMine(key: readonly unknown[], data: unknown, userId: string | null): boolean {
  if (userId === null) return false;
  const own = [
    parkKeys.favourites,
    myConsentsKey,
    parkKeys.myCheckIn,
    ownUserKey(userId),
    userKeys.page(userId),
    userKeys.dogs(userId),
  ];
  if (isMeetings(key) || own.some((beginning) => startsWith(key, beginning))) return true;
  return key[0] === 'dogs' && (data as { owner?: unknown } | null)?.owner === userId;
}

interface CachedQuery {
  queryKey: readonly unknown[];
  state: { data?: unknown; dataUpdatedAt: number };
}

/**
 * Removes expired results and sorts the rest: the user's own data first, then the newest.
 * @param now milliseconds since the epoch
 */
export function worthCaching<Query extends CachedQuery>(
  queries: readonly Query[],
  userId: string | null,
  now: number,
): Query[] {
  const mine = (query: Query) => isMine(query.queryKey, query.state.data, userId);
  return queries
    .filter((query) => {
      const age = Math.abs(now - query.state.dataUpdatedAt);
      return (
        query.state.data !== undefined &&
        age < (mine(query) ? OWN_QUERY_MAX_AGE_MS : QUERY_MAX_AGE_MS)
      );
    })
    .sort(
      (a, b) => Number(mine(b)) - Number(mine(a)) || b.state.dataUpdatedAt - a.state.dataUpdatedAt,
    );
}

/** Strips the guests of a park's status and meetings, because users' whereabouts must not be stored on disk. */
export function toStore(key: readonly unknown[], data: unknown): unknown {
  if (isMeetings(key))
    return (data as object[]).map((meeting) => ({ ...meeting, guests: null, more_coming: 0 }));
  if (key[0] !== 'parks' || key[2] !== 'status' || !data) return data;
  return { ...(data as ParkStatus), friends_here: null };
}

/** Drops visits, plans and meetings that have ended since they were stored. @param now milliseconds since the epoch */
export function toShow(key: readonly unknown[], data: unknown, now: number): unknown {
  if (!data) return data;
  if (startsWith(key, parkKeys.myCheckIn))
    return Date.parse((data as { expires_at: string }).expires_at) > now ? data : null;
  if (isMeetings(key))
    return (data as { meet_at: string }[]).filter(
      ({ meet_at }) => Date.parse(meet_at) > now - MAX_MEETING_HOURS * HOUR_MS,
    );
  return data;
}
