// The words that facts and searches of parks are made of; the filters themselves are in park-filters.ts.
export const SIZES = ['small', 'medium', 'large'] as const;
export const GROUNDS = ['SAND', 'DIRT', 'GRASS', 'SYNTHETIC_GRASS'] as const;
export const SORTS = ['distance', 'name', 'dogs', 'rank'] as const;
/** Shaded hours a day that can be asked for at least. */
export const SHADE_STEPS = [3, 6, 9] as const;

export type Size = (typeof SIZES)[number];
export type Ground = (typeof GROUNDS)[number];
export type Sort = (typeof SORTS)[number];
