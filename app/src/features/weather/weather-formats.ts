// Formats degrees Celsius and percent, which are the same in all languages.

/** The left-to-right mark keeps a minus sign in front of the number in right-to-left text. */
export const formatDegrees = (celsius: number): string => `\u200e${Math.round(celsius)}°`;

/** The left-to-right mark keeps the percent sign after the number, also after an Arabic word. @param chance 0 to 100 */
export const formatPercent = (chance: number): string => `\u200e${Math.round(chance)}%`;
