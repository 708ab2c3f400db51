// Sizes of the large dataset, and the IDs that large-dataset.sql and large-dataset-desk.sql assign.
import { createHash } from 'node:crypto';

export type Scale = 'full' | 'tenth';

export const SHARE: Record<Scale, number> = { full: 1, tenth: 0.1 };

export const usersOf = (scale: Scale): number => 200_000 * SHARE[scale];
/** Returns the number of approved parks. Their IDs start at 1. */
export const parksOf = (scale: Scale): number => 3000 * SHARE[scale];
/** Returns the number of rows of each type that calls change, one row per call. Their numbers start at 1. */
export const targetsOf = (scale: Scale): number => 2500 * SHARE[scale];
export const hazardsOf = (scale: Scale): number => 150 * SHARE[scale];
/** The number of users with many friends, notifications and meetings. They are the users 1 to 20. */
export const HEAVY = 20;
/** The numbers of the users who are moderators and administrators. */
export const MODERATORS = { first: 21, many: 20 };
export const ADMINISTRATORS = { first: 41, many: 4 };

/** Returns the UUID that SQL derives from the same text: `md5('user 7')::uuid`. */
function uuidOf(words: string): string {
  const hex = createHash('md5').update(words).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const userId = (n: number): string => uuidOf(`user ${n}`);
/** Returns the ID of row number `n` of another type, such as a review. */
export const idOf = (kind: string, n: number): string => uuidOf(`${kind} ${n}`);
/** Returns the path of pending photo number `n`, which shows the hazard of its park. */
export const photoPath = (scale: Scale, n: number): string =>
  `${hazardPark(scale, n)}/other/${idOf('photo', n)}.webp`;
/** Returns the park of hazard number `n`, which is also that of pending photo number `n`. */
const hazardPark = (scale: Scale, n: number): number => 1 + (n % hazardsOf(scale)) * 20;
export const meetingTime = (n: number): string =>
  new Date(Date.UTC(2036, 0, 1) + n * 60_000).toISOString();
