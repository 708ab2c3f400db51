// How much of a country there is, and the ids that country.sql and country-desk.sql give to what they make.
import { createHash } from 'node:crypto';

/** How much of the country there is. */
export type Scale = 'full' | 'tenth';

export const SHARE: Record<Scale, number> = { full: 1, tenth: 0.1 };

export const peopleOf = (scale: Scale): number => 200_000 * SHARE[scale];
/** How many approved parks there are; their ids begin with 1. */
export const parksOf = (scale: Scale): number => 3000 * SHARE[scale];
/** How many there are of each thing that calls change one by one; their numbers begin with 1. */
export const targetsOf = (scale: Scale): number => 2500 * SHARE[scale];
/** How many hazards are reported now, one to a park; their numbers begin with 1. */
export const hazardsOf = (scale: Scale): number => 150 * SHARE[scale];
/** How many have many friends, notifications and meetings: persons 1 to 20. */
export const HEAVY = 20;
/** Moderators are the persons from here on, and then the administrators. */
export const MODERATORS = { first: 21, many: 20 };
export const ADMINISTRATORS = { first: 41, many: 4 };

/** A uuid that the SQL makes of the same words: `md5('person 7')::uuid`. */
function uuidOf(words: string): string {
  const hex = createHash('md5').update(words).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const personId = (n: number): string => uuidOf(`person ${n}`);
/** The id of number `n` of another kind of thing, such as a review. */
export const thingId = (kind: string, n: number): string => uuidOf(`${kind} ${n}`);
/** The path of waiting photo number `n`; it shows the hazard of its park. */
export const photoPath = (scale: Scale, n: number): string =>
  `${hazardPark(scale, n)}/other/${thingId('photo', n)}.webp`;
/** The park of hazard number `n`, and of the waiting photos `n`. */
const hazardPark = (scale: Scale, n: number): number => 1 + (n % hazardsOf(scale)) * 20;
/** When meeting number `n` is, as ISO text. */
export const meetingTime = (n: number): string =>
  new Date(Date.UTC(2036, 0, 1) + n * 60_000).toISOString();
