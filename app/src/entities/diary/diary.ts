// The pack diary: parks that the user's dogs have visited, and the dogs they met. Stored only on this device, by account.
import { DAY_MS } from '../../../../shared/durations.ts';
import { openStore } from '#/offline/device-store.ts';

export interface Visit {
  id: string;
  parkId: number;
  parkName: string;
  /** Start of the first visit, ISO 8601. */
  startedAt: string;
  /** IDs of the user's dogs that came along. */
  dogs: string[];
}

/** A dog of another user who was a friend at the time. */
export interface FriendDog {
  id: string;
  name: string;
  ownerId: string;
}

interface Met {
  /** The highest number of other dogs during the visit. */
  others: number;
  friends: FriendDog[];
}

export interface Diary {
  visits: Visit[];
  /** The dogs met during each visit, by visit ID. */
  met: Record<string, Met>;
  /** When the diary was emptied; visits before that are not fetched again. */
  since: string;
  /** True if the user wants to keep the diary after logout. */
  staysAfterLogout: boolean;
}

const EMPTY: Diary = { visits: [], met: {}, since: '', staysAfterLogout: false };

/** The server deletes visits after 90 days, so older visits exist only on this device. */
const SERVER_KEEPS_MS = 89 * DAY_MS;

const store = openStore<Diary>('packpark-diary', 'users');

export const readDiary = async (userId: string): Promise<Diary> =>
  (await store.get(userId)) ?? EMPTY;

export async function changeDiary(userId: string, change: (diary: Diary) => Diary): Promise<Diary> {
  let next = EMPTY;
  await store.update(userId, (diary = EMPTY) => (next = change(diary)));
  return next;
}

/** Call it after a logout. @param isGone true if the account was deleted; the diary is then deleted in any case */
export async function clearDiary(userId: string, isGone = false): Promise<void> {
  if (isGone || !(await readDiary(userId)).staysAfterLogout) await store.delete(userId);
}

/** Removes undone visits, but keeps those that the server has deleted because of their age. @param now in milliseconds */
export function withVisits(diary: Diary, visits: readonly Visit[], now: number): Diary {
  const old = diary.visits.filter(
    ({ id, startedAt }) =>
      Date.parse(startedAt) < now - SERVER_KEEPS_MS && visits.every((visit) => visit.id !== id),
  );
  const named = visits
    .filter(({ startedAt }) => startedAt > diary.since)
    .map((visit) => ({
      ...visit,
      parkName: visit.parkName || (diary.visits.find(({ id }) => id === visit.id)?.parkName ?? ''),
    }));
  const all = [...named, ...old];
  const met = Object.entries(diary.met).filter(([id]) => all.some((visit) => visit.id === id));
  return { ...diary, visits: all, met: Object.fromEntries(met) };
}

export function withMet(diary: Diary, visitId: string, others: number, there: FriendDog[]): Diary {
  const before = diary.met[visitId] ?? { others: 0, friends: [] };
  const known = before.friends.filter(({ id }) => there.every((dog) => dog.id !== id));
  const met = { others: Math.max(before.others, others), friends: [...known, ...there] };
  return { ...diary, met: { ...diary.met, [visitId]: met } };
}

/** Removes the names of dogs whose owners are no longer friends; the numbers stay. */
export function withoutStrangers(diary: Diary, friendIds: readonly string[]): Diary {
  const met = Object.entries(diary.met).map(([id, { others, friends }]) => [
    id,
    { others, friends: friends.filter(({ ownerId }) => friendIds.includes(ownerId)) },
  ]);
  return { ...diary, met: Object.fromEntries(met) as Diary['met'] };
}
