// Degrees and percent, alike in all languages: everybody here means Celsius and reads the signs.

/** The mark keeps a minus in front under RTL. */
export const formatDegrees = (celsius: number): string => `\u200e${Math.round(celsius)}°`;

/** The mark keeps the sign behind the number after an Arabic word, too. @param chance 0 to 100 */
export const formatPercent = (chance: number): string => `\u200e${Math.round(chance)}%`;
