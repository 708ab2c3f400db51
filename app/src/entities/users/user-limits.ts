// Limits of a user's name, of a user search and of a report, which the database also checks.
export const MAX_NAME = 80;
/** The server finds no users for shorter texts. */
export const MIN_SEARCH = 2;
export const MAX_SEARCH = 80;
/** Maximum length of the note in a report of a user. */
export const MAX_NOTE = 1000;
