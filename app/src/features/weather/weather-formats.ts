// Degrees and percent, alike in all languages: everybody here means Celsius and reads the signs.

/** The mark keeps a minus in front under RTL. */
export const formatDegrees = (celsius: number): string => `\u200e${Math.round(celsius)}°`;

/** @param chance 0 to 100 */
export const formatPercent = (chance: number): string => `${Math.round(chance)}%`;
