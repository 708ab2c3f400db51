// What the list's address says (?q=…&size=small,large&dogs=fewer): read leniently, so that an old or hand-written link still opens.
import * as v from 'valibot';

export const SIZES = ['small', 'medium', 'large'] as const;
export const GROUNDS = ['SAND', 'DIRT', 'GRASS', 'SYNTHETIC_GRASS'] as const;
export const SORTS = ['distance', 'name', 'dogs', 'rank'] as const;
/** Shaded hours a day that can be asked for at least. */
export const SHADE_STEPS = [3, 6, 9] as const;

export type Size = (typeof SIZES)[number];
export type Ground = (typeof GROUNDS)[number];
export type Sort = (typeof SORTS)[number];

/** Keeps the known words of a comma-separated text, in our order; nothing left is undefined. */
const listOf = (known: readonly string[]) =>
  v.fallback(
    v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => {
          const asked = text.split(',');
          return known.filter((word) => asked.includes(word)).join(',') || undefined;
        }),
      ),
    ),
    undefined,
  );

export const parkSearchSchema = v.object({
  /** A number typed as a query arrives as a number. */
  q: v.fallback(
    v.optional(
      v.pipe(
        v.union([v.string(), v.number()]),
        v.transform((text) => String(text) || undefined),
      ),
    ),
    undefined,
  ),
  sort: v.fallback(v.optional(v.picklist(SORTS)), undefined),
  size: listOf(SIZES),
  ground: listOf(GROUNDS),
  shade: v.fallback(v.optional(v.picklist(SHADE_STEPS)), undefined),
  facilities: v.fallback(v.optional(v.literal(true)), undefined),
  dogs: v.fallback(v.optional(v.picklist(['fewer', 'more'])), undefined),
});

export type ParkSearch = v.InferOutput<typeof parkSearchSchema>;

/** Every filter off; search and sort stay. */
export const NO_FILTERS = {
  size: undefined,
  ground: undefined,
  shade: undefined,
  facilities: undefined,
  dogs: undefined,
} satisfies Partial<ParkSearch>;

/** The words of a comma-separated value. */
export function words<Word extends string>(value: string | undefined): Word[] {
  return value === undefined ? [] : (value.split(',') as Word[]);
}

/** How many filters are on (search and sort are not filters). */
export function countFilters(search: ParkSearch): number {
  const filters = Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[];
  return filters.filter((name) => search[name] !== undefined).length;
}
