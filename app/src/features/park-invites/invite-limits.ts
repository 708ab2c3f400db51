// What the database takes of an invite. Imports nothing, so that the database's tests can compare it.
export const MAX_FRIENDS = 50;
export const MAX_DAYS = 30;
