// The relationship between two users.

/** From the caller's perspective; 'self' for the caller. */
export type Friendship = 'none' | 'outgoing' | 'incoming' | 'friends' | 'self';
