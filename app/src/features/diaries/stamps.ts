// Derives the stamps of the diary, and how often a dog met each dog of a friend.
import type { Diary, FriendDog, Visit } from '#/entities/diary/diary.ts';

export interface Stamp {
  parkId: number;
  parkName: string;
  /** Start of the first visit, ISO 8601. */
  firstAt: string;
  visits: number;
  /** IDs of the user's dogs that were at the park. */
  dogs: string[];
  /** The total number of other dogs over all visits. */
  met: number;
  friends: FriendDog[];
}

/** Removes duplicate dogs. */
const distinct = (dogs: readonly FriendDog[]) => [
  ...new Map(dogs.map((dog) => [dog.id, dog])).values(),
];

/** Returns the stamps, the park of the latest visit first. */
export function stampsOf({ visits, met }: Diary): Stamp[] {
  const byPark = new Map<number, Visit[]>();
  for (const visit of [...visits].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt)))
    if (visit.parkName !== '')
      byPark.set(visit.parkId, [...(byPark.get(visit.parkId) ?? []), visit]);
  return [...byPark].map(([parkId, there]) => ({
    parkId,
    parkName: there[0]?.parkName ?? '',
    firstAt: there.at(-1)?.startedAt ?? '',
    visits: there.length,
    dogs: [...new Set(there.flatMap(({ dogs }) => dogs))],
    met: there.reduce((sum, { id }) => sum + (met[id]?.others ?? 0), 0),
    friends: distinct(there.flatMap(({ id }) => met[id]?.friends ?? [])),
  }));
}

/** Returns friends' dogs that were there at the same time, the most frequent first. */
export function metBy(dogId: string, { visits, met }: Diary): { dog: FriendDog; times: number }[] {
  const all = visits
    .filter(({ dogs }) => dogs.includes(dogId))
    .flatMap(({ id }) => met[id]?.friends ?? []);
  return distinct(all)
    .map((dog) => ({ dog, times: all.filter(({ id }) => id === dog.id).length }))
    .sort((a, b) => b.times - a.times);
}
