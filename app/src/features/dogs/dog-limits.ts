// Limits of a dog's profile, which the database also checks.
export const MAX_NAME = 60;
/** Maximum length of each other short text: temperament, likes and dislikes. */
export const MAX_TEXT = 500;
export const MAX_DESCRIPTION = 2000;
export const MIN_BIRTHDAY = '1980-01-01';
