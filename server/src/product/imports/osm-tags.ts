// Converts OpenStreetMap tags, in files of any format, to columns of Packpark.
import { PARK_FACT_KEYS, type ParkFactKey } from '../../../../shared/park-facts.ts';
import { foldWord, isUnknown, readTruth, shownValue } from '#/product/imports/values.ts';
import { LANGUAGE_CODES } from '../../../../shared/languages.ts';

/** The values of a feature, by lower-case names. */
export type Values = Record<string, unknown>;
type Tags = Record<string, string | undefined>;

/** Keys whose tags define the type of a feature. */
const FEATURE_KEYS =
  'leisure amenity shop barrier highway natural landuse tourism man_made building craft office healthcare historic emergency railway waterway power sport boundary military'.split(
    ' ',
  );
/** Feature keys that cities also use as columns of facts, such as the barrier around a park. */
const FACT_KEYS = new Set([
  'barrier',
  'landuse',
  'building',
  'sport',
  'boundary',
  'natural',
  'emergency',
  'power',
]);

const listOf = (value: string | undefined): string[] =>
  (value ?? '').split(';').map((one) => one.trim());

function facilities(tags: Tags): string | undefined {
  const known = [tags.drinking_water, tags['drinking_water:dog'], tags.toilets, tags.bench]
    .map(readTruth)
    .filter((truth) => truth !== null);
  if (known.length === 0) return undefined;
  return known.includes(true) ? 'yes' : 'no';
}

/** Returns street and number, or the district. */
function address(tags: Tags, language = ''): string | undefined {
  const street = tags[`addr:street${language}`];
  if (street) return [street, tags['addr:housenumber']].filter(Boolean).join(' ');
  return ['addr:place', 'addr:suburb', 'addr:neighbourhood']
    .map((key) => tags[key + language])
    .find(Boolean);
}

const BARRIERS = ['fence', 'wall', 'hedge', 'guard_rail', 'retaining_wall', 'chain', 'yes'];
const isFence = (tags: Tags) =>
  listOf(tags.barrier?.toLowerCase()).some((barrier) => BARRIERS.includes(barrier)) ||
  readTruth(tags.barrier) === true;

/** For some facts, further tags that define them. All other facts are read only from the tag of the same name. */
const OTHER_TAGS: Partial<Record<ParkFactKey, (tags: Tags) => string | undefined>> = {
  fenced: (tags) => (isFence(tags) ? 'yes' : readTruth(tags.barrier) === false ? 'no' : undefined),
  'fence:height': (tags) => (isFence(tags) ? tags.height : undefined),
  double_gate: (tags) => (tags['gate:type'] === 'double' ? 'yes' : undefined),
  small_dog: (tags) => tags['dog:small'],
  drinking_water: (tags) => tags['drinking_water:dog'] ?? tags['dog:drinking_water'],
  bin: (tags) => tags.waste_basket,
  excrement_bags: (tags) =>
    listOf(tags.vending).includes('excrement_bags') ? 'yes' : tags['waste_basket:excrement_bags'],
  dog_agility: (tags) =>
    listOf(tags.sport).some((sport) => /^(dog_)?agility$/.test(sport)) ? 'yes' : tags.agility,
};

/** Keys that mark a feature as planned or disused. */
const LIFECYCLE = 'disused abandoned construction demolished razed removed proposed planned'.split(
  ' ',
);

/** Tags without a colon that are read below, although Packpark's column has another name. */
const READ_TAGS = new Set([
  ...['surface', 'toilets', 'height', 'waste_basket', 'vending', 'sport', 'agility'],
  ...['shelter_type', 'bunker_type', 'full_id', 'osm_id', 'osm_type', 'by_users'],
  ...LIFECYCLE,
]);

/** For each column of Packpark (validate-park.ts), how it is read from the tags. */
const COLUMNS: Record<string, (tags: Tags) => unknown> = {
  materials: (tags) => tags.surface,
  has_facilities: facilities,
  ...Object.fromEntries(
    PARK_FACT_KEYS.map((key) => [key, (tags: Tags) => tags[key] ?? OTHER_TAGS[key]?.(tags)]),
  ),
  name: (tags) => tags.name,
  city: (tags) => tags['addr:city'],
  address: (tags) => address(tags),
  ...Object.fromEntries(
    LANGUAGE_CODES.flatMap((language) => [
      [`name_${language}`, (tags: Tags) => tags[`name:${language}`]],
      [`city_${language}`, (tags: Tags) => tags[`addr:city:${language}`]],
      [`address_${language}`, (tags: Tags) => address(tags, `:${language}`)],
    ]),
  ),
};

export function columnsOfTags(values: Values): Values {
  const tags = Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
      .map(([key, value]) => [key, String(value)]),
  ) as Tags;
  return Object.fromEntries(
    Object.entries(COLUMNS)
      .map(([column, read]) => [column, read(tags)])
      .filter(([, value]) => (value ?? '') !== ''),
  );
}

/** Returns true if a column is a tag of OpenStreetMap. */
export const isTag = (column: string): boolean =>
  FEATURE_KEYS.includes(column) ||
  column.includes(':') ||
  column.startsWith('@') ||
  READ_TAGS.has(column);

export const isPublicShelter = (values: Values): boolean =>
  [values.bunker_type, values.shelter_type].includes('bomb_shelter') &&
  !['private', 'no'].includes(String(values.access));

const TYPES: Record<string, string> = { n: 'node', w: 'way', r: 'relation' };

/** Returns the OpenStreetMap ID, such as way/17, in any of the usual spellings; null for other features. */
export function osmId(id: unknown, values: Values): string | null {
  for (const written of [id, values['@id'], values.id, values.full_id, values.osm_id]) {
    const found = /^(node|way|relation|[nwr])\/?(\d+)$/.exec(String(written ?? ''));
    if (found) return `${TYPES[found[1] ?? ''] ?? found[1]}/${found[2]}`;
  }
  const [type, number] = [values['@type'] ?? values.osm_type, values['@id'] ?? values.osm_id];
  return typeof type === 'string' &&
    /^(node|way|relation)$/.test(type) &&
    /^\d+$/.test(String(number))
    ? `${type}/${String(number)}`
    : null;
}

/** Returns the tag that makes a dog park private or disused, so that it is skipped; null for a public park. */
export function whyNotPublic(values: Values): string | null {
  const access = foldWord(values.access);
  if (['private', 'no', 'closed', 'פרטי', 'סגור', 'خاص', 'مغلق'].includes(access))
    return `access=${access}`;
  const unused = LIFECYCLE.find((key) => {
    const value = values[key];
    // A value with a number is a year, as in "construction: 1998", so it does not mean that the park is closed.
    return !isUnknown(value) && readTruth(value) !== false && !/\d{2}/.test(foldWord(value));
  });
  return unused === undefined ? null : `${unused}=${shownValue(values[unused])}`;
}

/**
 * Returns the type of a feature according to its tags.
 * @param options.isTable true if any column may have the name of a tag
 * @param options.isOsm true if the feature has an OpenStreetMap ID
 * @returns true for a dog park; the defining tag, such as amenity=veterinary, for another feature; null without a defining tag
 */
export function featureType(
  values: Values,
  { isTable, isOsm }: { isTable: boolean; isOsm: boolean },
): true | string | null {
  let other: string | null = null;
  for (const key of FEATURE_KEYS) {
    const value = values[key];
    if (typeof value !== 'string' || !/^[a-z][a-z_; ]*$/i.test(value) || !isFeatureTag(value))
      continue;
    if (key === 'leisure' && listOf(value.toLowerCase()).includes('dog_park')) return true;
    if (isOsm || (isTable ? key === 'leisure' : !FACT_KEYS.has(key))) other ??= `${key}=${value}`;
  }
  if (other !== null) return other;
  const former = LIFECYCLE.find((key) => values[`${key}:leisure`] === 'dog_park');
  return former === undefined ? null : `${former}:leisure=dog_park`;
}

const isFeatureTag = (value: string): boolean => readTruth(value) !== false && !isUnknown(value);
