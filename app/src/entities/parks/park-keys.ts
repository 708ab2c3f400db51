// Query keys for parks: several features read and refresh the same queries but must not import each other.
export const parkKeys = {
  /** The published list in a language: ID, name, city, address and location. */
  list: (language: string) => ['parks', 'list', language] as const,
  /** Records when the worker's copy of the list was last refreshed. */
  listRefresh: ['parks', 'list-refresh'],
  live: ['parks', 'live'],
  park: (parkId: number) => ['parks', parkId, 'park'] as const,
  /** The reason why a park is no longer listed. */
  removed: (parkId: number) => ['parks', parkId, 'removed'] as const,
  /** The outline from its source, fetched when the map needs it. */
  outline: (parkId: number) => ['parks', parkId, 'outline'] as const,
  /** The response of park_status: counts, conditions, and the user's own data. */
  status: (parkId: number) => ['parks', parkId, 'status'] as const,
  company: (parkId: number) => ['parks', parkId, 'company'] as const,
  /** Photo and usual hours, which cards show in addition to the list file. */
  card: (parkId: number) => ['parks', parkId, 'card'] as const,
  reviews: (parkId: number) => ['parks', parkId, 'reviews'] as const,
  /** Signed URLs of the user's photos that are pending approval. */
  pendingPhotos: (parkId: number, paths: readonly string[]) =>
    ['parks', parkId, 'pending-photos', paths] as const,
  /** The parks where friends are now; like the live counts, never stored on the device. */
  friendsNow: ['parks', 'friends-now'],
  question: (checkInId: string) => ['check-ins', checkInId, 'question'] as const,
  myCheckIn: ['check-ins', 'mine'],
  favourites: ['parks', 'favourites'],
  /** The hours in which the user wants to be notified of a good time at a favourite park. */
  goodTime: (parkId: number) => ['parks', parkId, 'good-time'] as const,
  favouritesOf: (userId: string) => ['users', userId, 'favourites'] as const,
  myContributions: ['parks', 'my-contributions'],
} as const;

/** The queries that count the users and dogs at a park. */
export const headcountKeys = (parkId: number) => [parkKeys.status(parkId), parkKeys.live] as const;

/** The queries to refetch after a visit of the user began or ended. */
export const visitKeys = (parkId: number) =>
  [...headcountKeys(parkId), parkKeys.myCheckIn] as const;
