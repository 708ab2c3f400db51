// The database's limits for invites. Has no imports, because the database's tests compare these values.
export const MAX_FRIENDS = 50;
export const MAX_DAYS = 30;
/** For this many hours after its start, a meeting may still be in progress. */
export const MAX_MEETING_HOURS = 4;
