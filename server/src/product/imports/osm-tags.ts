// What OpenStreetMap's tags say of a park, whichever file they came in.
import { PARK_FACT_KEYS, type ParkFactKey } from '../../../../shared/park-facts.ts';
import { readFactValue } from '#/product/imports/fact-values.ts';
import { LANGUAGE_CODES } from '../../../../shared/languages.ts';

/** The values of a feature, by their names in lower case. */
export type Values = Record<string, unknown>;
type Tags = Record<string, string | undefined>;

const SURFACES: Record<string, string> = {
  sand: 'SAND',
  dirt: 'DIRT',
  earth: 'DIRT',
  ground: 'DIRT',
  compacted: 'DIRT',
  grass: 'GRASS',
  artificial_turf: 'SYNTHETIC_GRASS',
};

/** Keys that say what a thing is. A feature with one of them, and a value that looks like a tag's, comes from OpenStreetMap. */
const KINDS =
  'leisure amenity shop barrier highway natural landuse tourism man_made building craft office healthcare historic emergency railway waterway power sport boundary military'.split(
    ' ',
  );

const listOf = (value: string | undefined): string[] =>
  (value ?? '').split(';').map((one) => one.trim());

function facilities(tags: Tags): string | undefined {
  const said = [tags.drinking_water, tags.toilets, tags.bench].filter(Boolean);
  if (said.includes('yes')) return 'yes';
  return said.length > 0 ? 'no' : undefined;
}

/** Street and number, else what else says where in its city it is. */
function address(tags: Tags, language = ''): string | undefined {
  const street = tags[`addr:street${language}`];
  if (street) return [street, tags['addr:housenumber']].filter(Boolean).join(' ');
  return ['addr:place', 'addr:suburb', 'addr:neighbourhood']
    .map((key) => tags[key + language])
    .find(Boolean);
}

const BARRIERS = ['fence', 'wall', 'hedge', 'guard_rail', 'retaining_wall', 'chain', 'yes'];
const isFence = (tags: Tags) => BARRIERS.includes(tags.barrier ?? '');

/** Facts that stand under other keys, too; without a line here a fact is read from its own key only. */
const OTHER_TAGS: Partial<Record<ParkFactKey, (tags: Tags) => string | undefined>> = {
  fenced: (tags) => (isFence(tags) ? 'yes' : tags.barrier === 'no' ? 'no' : undefined),
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

/** A tag that means nothing to us is as good as none: mappers write many. */
function factOf(key: ParkFactKey, tags: Tags): string | undefined {
  const written = tags[key] ?? OTHER_TAGS[key]?.(tags);
  return (written !== undefined && readFactValue(key, written)) || undefined;
}

/** Tags without a colon that are read below under another name than ours. */
const READ_TAGS = new Set([
  ...['surface', 'toilets', 'height', 'waste_basket', 'vending', 'sport', 'agility'],
  ...['shelter_type', 'bunker_type', 'access', 'full_id', 'osm_id', 'osm_type'],
]);

/** Columns of ours (see park-row.ts) and the tags that they come from: one line for each. */
const COLUMNS: Record<string, (tags: Tags) => unknown> = {
  materials: (tags) => listOf(tags.surface).flatMap((one) => SURFACES[one] ?? []),
  has_facilities: facilities,
  ...Object.fromEntries(PARK_FACT_KEYS.map((key) => [key, (tags: Tags) => factOf(key, tags)])),
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

const isKnown = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && !value.length);

/** Our columns, as far as tags say something of them. */
export function columnsOfTags(values: Values): Values {
  const tags = Object.fromEntries(
    Object.entries(values).filter(([, value]) => typeof value === 'string'),
  ) as Tags;
  return Object.fromEntries(
    Object.entries(COLUMNS)
      .map(([column, read]) => [column, read(tags)])
      .filter(([, value]) => isKnown(value)),
  );
}

/** Whether a column is a tag of OpenStreetMap's, which may say something of a park or of what it is. */
export const isTag = (column: string): boolean =>
  KINDS.includes(column) || column.includes(':') || column.startsWith('@') || READ_TAGS.has(column);

export const isPublicShelter = (values: Values): boolean =>
  [values.bunker_type, values.shelter_type].includes('bomb_shelter') &&
  !['private', 'no'].includes(String(values.access));

const TYPES: Record<string, string> = { n: 'node', w: 'way', r: 'relation' };

/** The id in OpenStreetMap, such as way/17, as the usual tools write it into their files; null for other things. */
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

/**
 * What a feature is by its tags.
 * @returns true for a dog park, the telling tag (such as amenity=veterinary) for something else, null where nothing says it
 */
export function kindOf(values: Values): true | string | null {
  let other: string | null = null;
  for (const key of KINDS) {
    const value = values[key];
    if (typeof value !== 'string' || !/^[a-z][a-z_;]*$/.test(value)) continue;
    if (key === 'leisure' && listOf(value).includes('dog_park')) return true;
    other ??= `${key}=${value}`;
  }
  return other;
}
