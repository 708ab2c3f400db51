// Lengths of time that clocks and calendars count in.
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_MINUTES = 1440;
