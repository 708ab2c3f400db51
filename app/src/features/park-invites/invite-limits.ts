// The database's limits for invites. Imports nothing, so that the database's tests can compare them.
export const MAX_FRIENDS = 50;
export const MAX_DAYS = 30;
