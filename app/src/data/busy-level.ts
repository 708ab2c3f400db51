// How busy a park is, in the three steps that the database makes of its dogs.
export const BUSY_LEVELS = ['quiet', 'medium', 'busy'] as const;

export type BusyLevel = (typeof BUSY_LEVELS)[number];
