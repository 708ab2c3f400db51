// The filters of parks. Each is defined by one row, which contains its URL parameter, rule and labels.
import * as v from 'valibot';
import type { ChoiceKey, ChoiceValue, ParkFactKey } from '../../../../shared/park-facts.ts';
import { choiceLabel, factLabel } from '#/entities/parks/park-facts.ts';
import { isOpenAt } from '../../../../shared/opening-hours/hours-of-park.ts';
import type { ListedPark } from '#/features/park-lists/find-parks.ts';
import { formatDistance, formatLength } from '#/core/distance.ts';
import { currentLanguage, type MessageKey, type Translate } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { GROUNDS, PARK_SIZES } from '../../../../shared/enums.ts';

export const SORTS = ['best', 'distance', 'name', 'dogs', 'rank'] as const;

export type Sort = (typeof SORTS)[number];

/** A choice of a filter, as in the URL. */
type FilterOption = string | number | true;

/** The fields that a filter may read. Live counts may arrive later than the list, or not at all. */
type FilteredPark = Pick<ListedPark, 'distance' | 'facts' | 'live' | 'location'>;

interface FilterRow<Option extends FilterOption, Several extends boolean> {
  /** True if several options can be chosen. A park must match at least one of them. */
  several: Several;
  options: readonly Option[];
  /** The filter's label in the sheet; for the single choice `true`, the label of its switch. */
  label: MessageKey;
  /** Returns the label of a choice below the filter's label. */
  option: (t: Translate, option: Option) => string;
  /** Returns the label of a choice on a chip, which does not show the filter's label. */
  chip: (t: Translate, option: Option) => string;
  /** The most used choices, which have a chip even if they are off. */
  quick: readonly Option[];
  /** Returns true if a park matches. Unknown facts never match. */
  fits: (park: FilteredPark, option: Option) => boolean;
}

/** Returns the row unchanged; its signature makes TypeScript check that the row's fields have matching types. */
const filter = <const Option extends FilterOption, Several extends boolean>(
  row: FilterRow<Option, Several>,
) => row;

/** At most this many dogs count as 'fewer'. */
const FEWER_DOGS = 2;
const dogsAt = (park: FilteredPark) => park.live?.dogs_now ?? 0;

/** Creates a filter with a switch. @param chip label of its chip */
const flag = (
  label: MessageKey,
  fits: (park: FilteredPark) => boolean,
  quick = false,
  chip = label,
) =>
  filter({
    several: false,
    options: [true],
    label,
    option: (t) => t(label),
    chip: (t) => t(chip),
    quick: quick ? [true] : [],
    fits,
  });

/** Creates a filter with a switch for one value of a fact. */
const factIs = (key: ChoiceKey, value: string, quick = false, label = factLabel(key)) =>
  flag(label, ({ facts }) => facts.facts[key] === value, quick);

const factChip = (t: Translate, key: ParkFactKey, value: string) =>
  t('parks.filter.chip.fact', { fact: t(factLabel(key)), value });

/** Creates a filter with several values of a fact. Chips of `quick` values show only the fact's name. */
const factIn = <const Key extends ChoiceKey>(
  key: Key,
  options: readonly Exclude<ChoiceValue<Key>, 'no'>[],
  quick: readonly Exclude<ChoiceValue<Key>, 'no'>[] = [],
) =>
  filter({
    several: true,
    options,
    label: factLabel(key),
    option: (t, option) => t(choiceLabel(key, option)),
    chip: (t, option) =>
      quick.includes(option) ? t(factLabel(key)) : factChip(t, key, t(choiceLabel(key, option))),
    quick,
    fits: ({ facts }, option) => facts.facts[key] === option,
  });

const formatLengthLimit = (t: Translate, label: MessageKey, metres: number) =>
  t(label, { length: formatLength(metres, LANGUAGES[currentLanguage()].locale) });

/** Creates a filter for a fact in metres. */
const metres = (
  key: ParkFactKey,
  options: readonly number[],
  label: 'parks.filter.metresAtLeast' | 'parks.filter.metresAtMost',
) =>
  filter({
    several: false,
    options,
    label: factLabel(key),
    option: (t, option) => formatLengthLimit(t, label, option),
    chip: (t, option) => factChip(t, key, formatLengthLimit(t, label, option)),
    quick: [],
    fits: ({ facts }, option) => {
      const value = facts.facts[key];
      if (value === undefined) return false;
      return label === 'parks.filter.metresAtLeast'
        ? Number(value) >= option
        : Number(value) <= option;
    },
  });

/** Formats a maximum distance in the user's units. */
const formatMaxDistance = (t: Translate, metres: number) =>
  t('parks.filter.metresAtMost', {
    length: formatDistance(metres, LANGUAGES[currentLanguage()].locale),
  });

/** The filters in the order of the sheet and the chips. The keys are the URL parameters. */
const PARK_FILTERS = {
  dogs: filter({
    several: false,
    options: ['more', 'fewer'],
    label: 'parks.list.sort.dogs',
    option: (t, option) => t(`parks.filter.dogs.${option}`),
    chip: (t, option) => t(`parks.filter.chip.dogs.${option}`),
    quick: ['more'],
    fits: (park, option) => dogsAt(park) > FEWER_DOGS === (option === 'more'),
  }),
  near: filter({
    several: false,
    options: [1000, 3000, 10_000],
    label: 'parks.list.sort.distance',
    option: formatMaxDistance,
    chip: formatMaxDistance,
    quick: [],
    // Without a location, this filter is not offered, and in a URL it matches all parks.
    fits: ({ distance }, metres) => distance === null || distance <= metres,
  }),
  open: flag(
    'parks.filter.open',
    ({ facts, location }) => isOpenAt(facts.facts, location, new Date()) === true,
    true,
  ),
  fenced: factIs('fenced', 'yes', true),
  water: factIs('drinking_water', 'yes', true),
  smallDogs: factIn('small_dog', ['separate', 'shared'], ['separate']),
  size: filter({
    several: true,
    options: PARK_SIZES,
    label: 'ui.size',
    option: (t, option) => t(`parks.size.${option}`),
    chip: (t, option) => t(`parks.filter.chip.size.${option}`),
    quick: ['large'],
    fits: ({ facts }, option) => facts.size_label === option,
  }),
  ground: filter({
    several: true,
    options: GROUNDS,
    label: 'parks.filter.ground',
    option: (t, option) => t(`parks.ground.${option}`),
    chip: (t, option) => t(`parks.ground.${option}`),
    quick: ['GRASS'],
    fits: ({ facts }, option) => facts.materials?.includes(option) ?? false,
  }),
  shade: filter({
    several: false,
    options: [3, 6, 9],
    label: 'parks.filter.shade',
    option: (t, hours) => t('parks.filter.shadeAtLeast', { hours }),
    chip: (t, hours) => t('parks.filter.chip.shade', { hours }),
    quick: [6],
    fits: ({ facts }, hours) => (facts.shade ?? -1) >= hours,
  }),
  facilities: flag(
    'parks.filter.facilities',
    ({ facts }) => facts.has_facilities === true,
    false,
    'parks.about.facilities',
  ),
  fenceHeight: metres('fence:height', [1.2, 1.5, 1.8], 'parks.filter.metresAtLeast'),
  doubleGate: factIs('double_gate', 'yes'),
  lit: factIs('lit', 'yes'),
  benches: factIs('bench', 'yes'),
  bins: factIs('bin', 'yes'),
  bags: factIs('excrement_bags', 'yes'),
  agility: factIs('dog_agility', 'yes'),
  parking: factIs('parking', 'yes'),
  stepFree: factIn('wheelchair', ['yes', 'limited']),
  free: factIs('fee', 'no', false, 'parks.filter.free'),
  offLeash: factIs('dog', 'unleashed', false, 'parks.fact.value.unleashed'),
  shelter: metres('shelter_distance', [100, 250, 500], 'parks.filter.metresAtMost'),
};

export type FilterName = keyof typeof PARK_FILTERS;

/** A filter with any type of options. */
export type ParkFilter = FilterRow<FilterOption, boolean>;

/** The names and rows of all filters, in order. */
export const parkFilters = Object.entries(PARK_FILTERS) as unknown as [FilterName, ParkFilter][];

/** The filters in the URL. Several choices are separated by commas. */
export type ParkFilterSearch = {
  [Name in FilterName]?:
    | ((typeof PARK_FILTERS)[Name]['several'] extends true
        ? string
        : (typeof PARK_FILTERS)[Name]['options'][number])
    | undefined;
};

/** Search parameters of the list, such as ?q=…&size=small,large&dogs=fewer. */
export interface ParkSearch extends ParkFilterSearch {
  q?: string | undefined;
  sort?: Sort | undefined;
}

/** Parses a comma-separated list. Keeps the known values in a fixed order; undefined if none are known. */
const listOf = (known: readonly FilterOption[]) =>
  v.pipe(
    v.string(),
    v.transform((text) => {
      const requested = text.split(',');
      return known.filter((option) => requested.includes(String(option))).join(',') || undefined;
    }),
  );

const lenient = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined);

const searchSchema = v.object({
  /** The router parses `q` as a number if it looks like one. */
  q: lenient(
    v.pipe(
      v.union([v.string(), v.number()]),
      v.transform((text) => String(text) || undefined),
    ),
  ),
  sort: lenient(v.picklist(SORTS)),
  ...Object.fromEntries(
    parkFilters.map(([name, { several, options }]) => [
      name,
      lenient(several ? listOf(options) : v.union(options.map((option) => v.literal(option)))),
    ]),
  ),
});

/** Parses search parameters and ignores invalid ones, so that old and hand-written links work. */
export const parseParkSearch = (address: Record<string, unknown>): ParkSearch =>
  v.parse(searchSchema, address);

/** Switches off all filters. Search and order stay unchanged. */
export const NO_FILTERS = Object.fromEntries(
  parkFilters.map(([name]) => [name, undefined]),
) as ParkFilterSearch;

/** Returns only the filters of a search, for a link to another screen. */
export const filtersOf = (search: ParkSearch): ParkFilterSearch =>
  Object.fromEntries(parkFilters.map(([name]) => [name, search[name]]));

export function chosen(name: FilterName, search: ParkFilterSearch): FilterOption[] {
  const value = search[name];
  if (value === undefined) return [];
  return PARK_FILTERS[name].several ? String(value).split(',') : [value];
}

/** Returns the URL change that selects these choices of a filter. */
export function choose(name: FilterName, options: readonly FilterOption[]): ParkFilterSearch {
  const { several } = PARK_FILTERS[name];
  return { [name]: several ? options.join(',') || undefined : options[0] };
}

/** Returns the URL change that switches a choice on or off. */
export function toggle(
  name: FilterName,
  option: FilterOption,
  search: ParkFilterSearch,
): ParkFilterSearch {
  const on = chosen(name, search);
  if (on.includes(option))
    return choose(
      name,
      on.filter((other) => other !== option),
    );
  return choose(name, PARK_FILTERS[name].several ? [...on, option] : [option]);
}

export const countFilters = (search: ParkFilterSearch): number =>
  parkFilters.filter(([name]) => search[name] !== undefined).length;

export const passesFilters = (park: FilteredPark, search: ParkFilterSearch): boolean =>
  parkFilters.every(([name, { fits }]) => {
    const on = chosen(name, search);
    return on.length === 0 || on.some((option) => fits(park, option));
  });
