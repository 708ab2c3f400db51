// Limits of a park's facts, which the database also checks.
/** Maximum length of a park's name and of a city's. */
export const MAX_NAME = 120;
export const MAX_ADDRESS = 200;
/** Square metres. */
export const MAX_SIZE = 10_000_000;
/** Hours per day. */
export const MAX_SHADE = 24;
