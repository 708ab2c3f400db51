// Features in the layers and words of Protomaps' basemap, schema 4, as far as the app draws them.
import type { Feature, Geometry } from 'geojson';
import { type Extract, type Place, type Tags } from './osm-pbf.ts';

export type LayerName =
  | 'boundaries'
  | 'buildings'
  | 'earth'
  | 'landcover'
  | 'landuse'
  | 'places'
  | 'pois'
  | 'roads'
  | 'water';

export interface MapFeature {
  layer: LayerName;
  /** The first zoom that has it. */
  minZoom: number;
  properties: Record<string, string | number | boolean>;
  geometry: Geometry;
}

const SCRIPTS: [script: string, letters: RegExp][] = [
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
];

/** The names of a thing: the parts of the local one with their scripts, as schema 4 has them, and those in languages. */
export function names(tags: Tags, ...parts: string[]): Record<string, string> {
  const local = (tags.name === undefined ? [] : [tags.name]).concat(parts);
  const numbered = local.flatMap((name, at) => {
    const number = at === 0 ? '' : String(at + 1);
    const script = SCRIPTS.find(([, letters]) => letters.test(name))?.[0];
    // Nothing is said of Latin letters.
    return [[`name${number}`, name], ...(script ? [[`script${number}`, script]] : [])];
  });
  const translated = Object.entries(tags).filter(([key]) => /^name:(ar|en|fr|he)$/.test(key));
  return Object.fromEntries([...numbered, ...translated]) as Record<string, string>;
}

const ROADS: Record<string, [kind: string, minZoom: number]> = {
  motorway: ['highway', 6],
  trunk: ['highway', 7],
  primary: ['major_road', 9],
  secondary: ['major_road', 10],
  tertiary: ['major_road', 11],
  unclassified: ['minor_road', 12],
  residential: ['minor_road', 12],
  living_street: ['minor_road', 12],
  road: ['minor_road', 12],
  service: ['minor_road', 14],
  pedestrian: ['path', 12],
  footway: ['path', 13],
  path: ['path', 13],
  steps: ['path', 14],
  cycleway: ['path', 13],
  track: ['path', 13],
};

/** What is known of a way besides its kind. */
function details({ highway = '', footway, service, tunnel, bridge }: Tags) {
  return {
    kind_detail: highway === 'footway' && footway ? footway : highway,
    ...(highway === 'service' && service !== undefined && { service }),
    ...(tunnel !== undefined && tunnel !== 'no' && { is_tunnel: true }),
    ...(bridge !== undefined && bridge !== 'no' && { is_bridge: true }),
    sort_rank: 400,
  };
}

const LANDUSE = new Set([
  'park',
  'garden',
  'dog_park',
  'playground',
  'pitch',
  'nature_reserve',
  'grass',
  'forest',
  'wood',
  'scrub',
  'meadow',
  'cemetery',
  'beach',
  'sand',
  'residential',
  'industrial',
  'commercial',
  'military',
  'hospital',
  'school',
  'recreation_ground',
]);

const POIS: Record<string, number> = {
  park: 14,
  garden: 15,
  dog_park: 14,
  playground: 15,
  drinking_water: 15,
  fountain: 15,
  toilets: 15,
  bench: 15,
  cafe: 15,
  veterinary: 15,
  hospital: 14,
  school: 15,
  beach: 14,
  museum: 15,
};

const PLACES: Record<string, [kind: string, minZoom: number, rank: number]> = {
  city: ['locality', 6, 9],
  town: ['locality', 8, 7],
  village: ['locality', 10, 4],
  suburb: ['neighbourhood', 12, 3],
  quarter: ['neighbourhood', 13, 2],
  neighbourhood: ['neighbourhood', 13, 2],
};

const polygon = (...rings: Place[][]): Geometry => ({ type: 'Polygon', coordinates: rings });
const point = (place: Place): Geometry => ({ type: 'Point', coordinates: place });

const middle = (ring: Place[]): Place => {
  const mean = (at: 0 | 1) => ring.reduce((sum, place) => sum + place[at], 0) / ring.length;
  return [mean(0), mean(1)];
};

const kindOf = (tags: Tags): string =>
  tags.leisure ?? tags.amenity ?? tags.landuse ?? tags.natural ?? tags.tourism ?? '';

function areaFeatures(tags: Tags, ring: Place[]): MapFeature[] {
  const geometry = polygon(ring);
  const kind = kindOf(tags);
  const found: MapFeature[] = [];
  const add = (
    layer: LayerName,
    minZoom: number,
    properties: MapFeature['properties'],
    shape = geometry,
  ) => found.push({ layer, minZoom, properties, geometry: shape });
  if (tags.building) add('buildings', 13, { kind: 'building' });
  if (kind === 'water') add('water', 9, { kind: 'water', ...names(tags) });
  else if (LANDUSE.has(kind)) add('landuse', 10, { kind });
  if (tags.highway === 'pedestrian') add('landuse', 14, { kind: 'pedestrian' });
  const minZoom = POIS[kind];
  if (minZoom !== undefined) add('pois', minZoom, { kind, ...names(tags) }, point(middle(ring)));
  return found;
}

/** The land and the sea at a coast that runs from one side of a box to the other, with the land north-west of it. */
function coast(lines: Place[][], [west, south, east, north]: Box): MapFeature[] {
  const chains = lines.map((line) => [...line]);
  // Lines come in any order, each in the direction of the coast.
  for (let at = 0; at < chains.length;) {
    const end = String(chains[at]?.at(-1));
    const next = chains.findIndex((other, place) => place !== at && String(other[0]) === end);
    const [following] = next < 0 ? [] : chains.splice(next, 1);
    if (!following) at += 1;
    else {
      const from = next < at ? at - 1 : at;
      chains[from]?.push(...following.slice(1));
      at = 0;
    }
  }
  const longest = chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
  if (longest.length === 0) return [];
  const shore =
    (longest[0]?.[0] ?? 0) < (longest.at(-1)?.[0] ?? 0) ? longest : longest.toReversed();
  const [first, last] = [shore[0], shore.at(-1)] as [Place, Place];
  const line: Place[] = [[west, first[1]], ...shore, [east, last[1]]];
  const land: Place[] = [...line, [east, north], [west, north], [west, first[1]]];
  const sea: Place[] = [...line, [east, south], [west, south], [west, first[1]]];
  return [
    { layer: 'earth', minZoom: 0, properties: { kind: 'earth' }, geometry: polygon(land) },
    { layer: 'water', minZoom: 0, properties: { kind: 'ocean' }, geometry: polygon(sea) },
  ];
}

export type Box = [west: number, south: number, east: number, north: number];

/** What an extract has of the schema. @param box what the map shows of it */
export function extractFeatures(extract: Extract, box: Box): MapFeature[] {
  const coastline = extract.ways.filter(({ tags }) => tags.natural === 'coastline');
  const found = coast(
    coastline.map(({ places }) => places),
    box,
  );
  for (const { tags, places } of extract.ways) {
    const road = ROADS[tags.highway ?? ''];
    const closed = places.length > 3 && String(places[0]) === String(places.at(-1));
    if (road && tags.area !== 'yes') {
      const [kind, minZoom] = road;
      const properties = { kind, min_zoom: minZoom + 1, ...details(tags), ...names(tags) };
      found.push({
        layer: 'roads',
        minZoom,
        properties,
        geometry: { type: 'LineString', coordinates: places },
      });
    } else if (tags.railway === 'rail') {
      const properties = { kind: 'rail', kind_detail: 'rail' };
      found.push({
        layer: 'roads',
        minZoom: 10,
        properties,
        geometry: { type: 'LineString', coordinates: places },
      });
    } else if (closed) found.push(...areaFeatures(tags, places));
  }
  for (const { tags, rings } of extract.areas)
    for (const ring of rings) found.push(...areaFeatures(tags, ring));
  for (const { tags, place } of extract.points) {
    const [kind, minZoom, rank] = PLACES[tags.place ?? ''] ?? [];
    if (kind !== undefined && minZoom !== undefined)
      found.push({
        layer: 'places',
        minZoom,
        properties: {
          kind,
          kind_detail: tags.place ?? '',
          population_rank: rank ?? 0,
          ...names(tags),
        },
        geometry: point(place),
      });
    const poi = POIS[kindOf(tags)];
    if (poi !== undefined)
      found.push({
        layer: 'pois',
        minZoom: poi,
        properties: { kind: kindOf(tags), ...names(tags) },
        geometry: point(place),
      });
  }
  return found;
}

export const asGeoJson = ({ properties, geometry }: MapFeature): Feature => ({
  type: 'Feature',
  properties,
  geometry,
});
