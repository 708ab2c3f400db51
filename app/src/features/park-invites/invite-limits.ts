// What the database takes of an invite. Imports nothing, so that the database's tests can compare it.
export const MOST_FRIENDS = 50;
export const LATEST_DAYS = 30;
