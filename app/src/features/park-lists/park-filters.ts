// The filters of parks, each declared once: its name in the address, its rule and its words follow from its row.
import * as v from 'valibot';
import type { ChoiceKey, ChoiceValue, ParkFactKey } from '../../../../shared/park-facts.ts';
import { choiceLabel, factLabel } from '#/entities/parks/park-facts.ts';
import { isOpenAt } from '#/core/opening-hours/hours-of-park.ts';
import type { ListedPark } from '#/features/park-lists/find-parks.ts';
import { formatDistance, formatLength } from '#/core/distance.ts';
import { currentLanguage, type MessageKey, type Translate } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { GROUNDS, PARK_SIZES } from '../../../../shared/enums.ts';

export const SORTS = ['best', 'distance', 'name', 'dogs', 'rank'] as const;

export type Sort = (typeof SORTS)[number];

/** One choice, as the address has it. */
type FilterOption = string | number | true;

/** What a filter may ask about; counts come later than the list, or not at all. */
type FilteredPark = Pick<ListedPark, 'distance' | 'facts' | 'live' | 'location'>;

interface FilterRow<Option extends FilterOption, Several extends boolean> {
  /** Whether several choices may be on together; one of them is enough for a park. */
  several: Several;
  options: readonly Option[];
  /** The name of the filter in the sheet; of a single choice `true`, the name of its switch. */
  label: MessageKey;
  /** A choice below that name. */
  option: (t: Translate, option: Option) => string;
  /** A choice on a chip, where no name stands above it. */
  chip: (t: Translate, option: Option) => string;
  /** Choices that have a chip even while they are off: those that people ask for most. */
  quick: readonly Option[];
  /** A park passes only with a known fact: 'unknown' is never shown as a yes. */
  fits: (park: FilteredPark, option: Option) => boolean;
}

/** Checks a row, and widens what it asks its own functions. */
const filter = <const Option extends FilterOption, Several extends boolean>(
  row: FilterRow<Option, Several>,
) => row;

/** Up to this many dogs now are 'fewer'. */
const FEWER_DOGS = 2;
const dogsAt = (park: FilteredPark) => park.live?.dogs_now ?? 0;

/** A switch. @param chip its name where it is a chip */
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

/** A fact that one asks for with a switch. */
const factIs = (key: ChoiceKey, value: string, quick = false, label = factLabel(key)) =>
  flag(label, ({ facts }) => facts.facts[key] === value, quick);

const factChip = (t: Translate, key: ParkFactKey, value: string) =>
  t('parks.filter.chip.fact', { fact: t(factLabel(key)), value });

/** A fact of which several values may do; the quick ones are chips by the name of the fact alone. */
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

const lengthWords = (t: Translate, label: MessageKey, metres: number) =>
  t(label, { length: formatLength(metres, LANGUAGES[currentLanguage()].locale) });

/** A fact in metres. */
const metres = (
  key: ParkFactKey,
  options: readonly number[],
  label: 'parks.filter.metresAtLeast' | 'parks.filter.metresAtMost',
) =>
  filter({
    several: false,
    options,
    label: factLabel(key),
    option: (t, option) => lengthWords(t, label, option),
    chip: (t, option) => factChip(t, key, lengthWords(t, label, option)),
    quick: [],
    fits: ({ facts }, option) => {
      const value = facts.facts[key];
      if (value === undefined) return false;
      return label === 'parks.filter.metresAtLeast'
        ? Number(value) >= option
        : Number(value) <= option;
    },
  });

/** At most so many metres, as people say ways. */
const wayWords = (t: Translate, metres: number) =>
  t('parks.filter.metresAtMost', {
    length: formatDistance(metres, LANGUAGES[currentLanguage()].locale),
  });

/** In the order of the sheet and of the chips; the keys are the names in the address. */
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
    option: wayWords,
    chip: wayWords,
    quick: [],
    // Where the place is unknown it is not offered, and an address that has it leaves all.
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

/** A row whose own type of choices does not matter. */
export type ParkFilter = FilterRow<FilterOption, boolean>;

/** The rows with their names, in order. */
export const parkFilters = Object.entries(PARK_FILTERS) as unknown as [FilterName, ParkFilter][];

/** The filters that an address asks for: several choices are words with commas between them. */
export type ParkFilterSearch = {
  [Name in FilterName]?:
    | ((typeof PARK_FILTERS)[Name]['several'] extends true
        ? string
        : (typeof PARK_FILTERS)[Name]['options'][number])
    | undefined;
};

/** What the list's address says (?q=…&size=small,large&dogs=fewer). */
export interface ParkSearch extends ParkFilterSearch {
  q?: string | undefined;
  sort?: Sort | undefined;
}

/** Keeps the known words of a comma-separated text, in our order; nothing left is undefined. */
const listOf = (known: readonly FilterOption[]) =>
  v.pipe(
    v.string(),
    v.transform((text) => {
      const asked = text.split(',');
      return known.filter((word) => asked.includes(String(word))).join(',') || undefined;
    }),
  );

const lenient = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined);

const searchSchema = v.object({
  /** A number typed as a query arrives as a number. */
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

/** Reads an address leniently, so that an old or hand-written link still opens. */
export const parseParkSearch = (address: Record<string, unknown>): ParkSearch =>
  v.parse(searchSchema, address);

/** Every filter off; search and sort stay. */
export const NO_FILTERS = Object.fromEntries(
  parkFilters.map(([name]) => [name, undefined]),
) as ParkFilterSearch;

/** Only the filters of a search, for the address of another screen. */
export const filtersOf = (search: ParkSearch): ParkFilterSearch =>
  Object.fromEntries(parkFilters.map(([name]) => [name, search[name]]));

export function chosen(name: FilterName, search: ParkFilterSearch): FilterOption[] {
  const value = search[name];
  if (value === undefined) return [];
  return PARK_FILTERS[name].several ? String(value).split(',') : [value];
}

/** What changes in the address when these choices of a filter are on. */
export function choose(name: FilterName, options: readonly FilterOption[]): ParkFilterSearch {
  const { several } = PARK_FILTERS[name];
  return { [name]: several ? options.join(',') || undefined : options[0] };
}

/** What changes in the address when a choice is switched on or off. */
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
