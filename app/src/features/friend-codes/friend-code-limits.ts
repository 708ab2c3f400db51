// Limits of a friend code, which the database also checks.

/** Minutes until a code that was not opened expires. */
export const CODE_MINUTES = 10;

/** Maximum length of the photo's data URL. */
export const MAX_PHOTO_LETTERS = 100_000;
