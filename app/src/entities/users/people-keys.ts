// Query keys about people and dogs: several features read and refresh the same answers, and features do not import each other.
export const peopleKeys = {
  /** A user's page as the caller may see it: name, friendship, dogs. */
  page: (userId: string) => ['users', userId, 'page'] as const,
  friendsOf: (userId: string) => ['users', userId, 'friends'] as const,
  reviews: (userId: string) => ['users', userId, 'reviews'] as const,
  searches: ['users', 'search'],
  search: (text: string) => ['users', 'search', text] as const,
  dogs: (ownerId: string) => ['dogs', 'of', ownerId] as const,
  dog: (dogId: string) => ['dogs', dogId] as const,
  dogPeople: (dogId: string) => ['dogs', dogId, 'people'] as const,
  /** Other users' dogs that the user keeps or walks. */
  keptDogs: ['dogs', 'kept'],
  dogPhotos: (dogId: string) => ['dogs', dogId, 'photos'] as const,
  /** The cards of lost dogs, everywhere. */
  lostDogs: ['dogs', 'lost'],
  /** The card of one's own dog, and where it was seen. */
  lostDog: (dogId: string) => ['dogs', dogId, 'lost'] as const,
  friends: ['friends'],
  friendRequests: ['friends', 'requests'],
  blocks: ['blocks'],
  notifications: ['notifications'],
  unseen: ['notifications', 'unseen'],
  /** The number of the badge, followed by whose it is. */
  unseenCount: ['notifications', 'unseen-count'],
  history: ['notifications', 'history'],
  preferences: ['notifications', 'preferences'],
  meetings: ['meetings'],
  packTimes: (parkId: number) => ['meetings', 'pack-times', parkId] as const,
  pastInvites: ['meetings', 'past-invites'],
  calendarFeed: ['meetings', 'calendar-feed'],
} as const;
