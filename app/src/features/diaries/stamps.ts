// Derives the diary's view: a stamp for each park, and how often a dog met which friends' dogs.
import type { Diary, FriendDog, Visit } from '#/entities/diary/diary.ts';

export interface Stamp {
  parkId: number;
  parkName: string;
  /** ISO 8601. */
  firstAt: string;
  visits: number;
  /** The user's dogs that were there. */
  dogs: string[];
  /** The number of other dogs, over all visits. */
  met: number;
  friends: FriendDog[];
}

/** Unique by ID. */
const distinct = (dogs: readonly FriendDog[]) => [
  ...new Map(dogs.map((dog) => [dog.id, dog])).values(),
];

/** The park of the latest visit first. */
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

/** Friends' dogs that were there at the same time, the most frequent first. */
export function metBy(dogId: string, { visits, met }: Diary): { dog: FriendDog; times: number }[] {
  const all = visits
    .filter(({ dogs }) => dogs.includes(dogId))
    .flatMap(({ id }) => met[id]?.friends ?? []);
  return distinct(all)
    .map((dog) => ({ dog, times: all.filter(({ id }) => id === dog.id).length }))
    .sort((a, b) => b.times - a.times);
}
