// Query keys about parks: several features read and refresh the same answers, and features do not import each other.
export const parkKeys = {
  /** The published list in a language: id, name, city, address and place. */
  list: (language: string) => ['parks', 'list', language] as const,
  live: ['parks', 'live'],
  park: (parkId: number) => ['parks', parkId, 'park'] as const,
  /** What became of it, where it is no longer listed. */
  removed: (parkId: number) => ['parks', parkId, 'removed'] as const,
  /** The outline that its source draws, once the map asked for it. */
  outline: (parkId: number) => ['parks', parkId, 'outline'] as const,
  /** The answer of park_status: counts, conditions, and what is mine there. */
  status: (parkId: number) => ['parks', parkId, 'status'] as const,
  company: (parkId: number) => ['parks', parkId, 'company'] as const,
  /** What cards show of it beside the list: photo and usual hours. */
  card: (parkId: number) => ['parks', parkId, 'card'] as const,
  reviews: (parkId: number) => ['parks', parkId, 'reviews'] as const,
  /** Signed addresses of my own photos that wait for approval. */
  pendingPhotos: (parkId: number, paths: readonly string[]) =>
    ['parks', parkId, 'pending-photos', paths] as const,
  /** Where my friends are now; like the live counts, never stored on the device. */
  friendsNow: ['parks', 'friends-now'],
  question: (checkInId: string) => ['check-ins', checkInId, 'question'] as const,
  myCheckIn: ['check-ins', 'mine'],
  favourites: ['parks', 'favourites'],
  favouritesOf: (userId: string) => ['users', userId, 'favourites'] as const,
  myContributions: ['parks', 'my-contributions'],
} as const;

/** The queries that count the users and dogs at a park. */
export const headcountKeys = (parkId: number) => [parkKeys.status(parkId), parkKeys.live] as const;

/** The queries to fetch again after a visit of this user began or ended. */
export const visitKeys = (parkId: number) =>
  [...headcountKeys(parkId), parkKeys.myCheckIn] as const;
