// Limits of the desk's forms, which the database also checks.
export const MAX_TOWN = 80;
export const MAX_TOWN_EMAIL = 254;
export const MAX_NOTICE = 300;
/** Maximum length of the source and the licence of imported parks. */
export const MAX_SOURCE = 200;
