// What two people can be to each other.

/** As the caller sees it; 'self' on their own page. */
export type Friendship = 'none' | 'outgoing' | 'incoming' | 'friends' | 'self';
