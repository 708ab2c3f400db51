// Limits of a review, which the database also checks.
export const MAX_RANK = 5;
export const MAX_TITLE = 120;
export const MAX_CONTENT = 4000;
