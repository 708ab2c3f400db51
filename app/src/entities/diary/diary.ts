// The pack diary: parks that one's dogs have been to, and whom they met there. It lies on this device alone, by account.
import { DAY_MS } from '#/core/durations.ts';
import { openStore } from '#/offline/device-store.ts';

export interface Visit {
  id: string;
  parkId: number;
  parkName: string;
  /** ISO 8601. */
  startedAt: string;
  /** The ids of the own dogs that came along. */
  dogs: string[];
}

/** A dog of somebody who was a friend then. */
export interface FriendDog {
  id: string;
  name: string;
  ownerId: string;
}

interface Met {
  /** The most dogs of others that were there at once. */
  others: number;
  friends: FriendDog[];
}

export interface Diary {
  visits: Visit[];
  /** By the id of the visit. */
  met: Record<string, Met>;
  /** Emptied then: what was before is not taken from the server again. */
  since: string;
  /** The person wants it to outlive a logout. */
  staysAfterLogout: boolean;
}

const EMPTY: Diary = { visits: [], met: {}, since: '', staysAfterLogout: false };

/** The server deletes visits after ninety days; those of before are here alone. */
const SERVER_KEEPS_MS = 89 * DAY_MS;

const store = openStore<Diary>('packpark-diary', 'people');

export const readDiary = async (userId: string): Promise<Diary> =>
  (await store.get(userId)) ?? EMPTY;

export async function changeDiary(userId: string, change: (diary: Diary) => Diary): Promise<Diary> {
  let next = EMPTY;
  await store.update(userId, (diary = EMPTY) => (next = change(diary)));
  return next;
}

/** After a logout. @param isGone the account is, too, so that nothing may outlive it */
export async function clearDiary(userId: string, isGone = false): Promise<void> {
  if (isGone || !(await readDiary(userId)).staysAfterLogout) await store.delete(userId);
}

/** A visit that was taken back goes, and one that the server has forgotten stays. @param now milliseconds since the epoch */
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

/** Names of dogs of who is no friend any more go; the numbers stay. */
export function withoutStrangers(diary: Diary, friendIds: readonly string[]): Diary {
  const met = Object.entries(diary.met).map(([id, { others, friends }]) => [
    id,
    { others, friends: friends.filter(({ ownerId }) => friendIds.includes(ownerId)) },
  ]);
  return { ...diary, met: Object.fromEntries(met) as Diary['met'] };
}
