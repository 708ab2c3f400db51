// Query keys for users and dogs: several features read and refresh the same queries but must not import each other.
export const userKeys = {
  /** A user's profile as far as the caller may see it: name, friendship, dogs. */
  page: (userId: string) => ['users', userId, 'page'] as const,
  friendsOf: (userId: string) => ['users', userId, 'friends'] as const,
  reviews: (userId: string) => ['users', userId, 'reviews'] as const,
  searches: ['users', 'search'],
  search: (text: string) => ['users', 'search', text] as const,
  dogs: (ownerId: string) => ['dogs', 'of', ownerId] as const,
  dog: (dogId: string) => ['dogs', dogId] as const,
  dogCarers: (dogId: string) => ['dogs', dogId, 'carers'] as const,
  /** Dogs of other users that the user keeps or walks. */
  keptDogs: ['dogs', 'kept'],
  dogPhotos: (dogId: string) => ['dogs', dogId, 'photos'] as const,
  /** The cards of all lost dogs. */
  lostDogs: ['dogs', 'lost'],
  /** The card of the user's own lost dog, with its sightings. */
  lostDog: (dogId: string) => ['dogs', dogId, 'lost'] as const,
  friends: ['friends'],
  friendRequests: ['friends', 'requests'],
  blocks: ['blocks'],
  notifications: ['notifications'],
  unseen: ['notifications', 'unseen'],
  /** The number on the badge, followed by the user ID. */
  unseenCount: ['notifications', 'unseen-count'],
  history: ['notifications', 'history'],
  preferences: ['notifications', 'preferences'],
  meetings: ['meetings'],
  packTimes: (parkId: number) => ['meetings', 'pack-times', parkId] as const,
  pastInvites: ['meetings', 'past-invites'],
  calendarFeed: ['meetings', 'calendar-feed'],
} as const;
