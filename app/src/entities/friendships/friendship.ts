// The relationship between two users.

/** The friendship from the caller's perspective; 'self' is the caller. */
export type Friendship = 'none' | 'outgoing' | 'incoming' | 'friends' | 'self';
