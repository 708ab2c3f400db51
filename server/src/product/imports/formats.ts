// Reads a file of parks, whatever its kind: OpenStreetMap's Overpass JSON, GeoJSON, or CSV with a header.
import { parse } from 'csv-parse/sync';
import { measureRing, type Point } from '#/product/imports/geometry.ts';
import type { Defaults, RawPark } from '#/product/imports/park-row.ts';
import { LANGUAGES } from '#/product/languages.ts';
import { StartError } from '#/host/lib/start-error.ts';

export interface ReadFile {
  /** One entry per row of the file, in its order. */
  rows: RawPark[];
  /** What holds for the whole file. */
  defaults: Defaults;
}

interface OsmElement {
  type?: string;
  id?: number;
  lat?: number;
  lon?: number;
  center?: { lat: number; lon: number };
  geometry?: { lat: number; lon: number }[];
  members?: { role: string; geometry?: { lat: number; lon: number }[] }[];
  tags?: Record<string, string>;
}

const SURFACES: Record<string, string> = {
  sand: 'SAND',
  dirt: 'DIRT',
  earth: 'DIRT',
  ground: 'DIRT',
  compacted: 'DIRT',
  grass: 'GRASS',
  artificial_turf: 'SYNTHETIC_GRASS',
};

function facilities({
  drinking_water,
  toilets,
  bench,
}: Record<string, string>): string | undefined {
  const said = [drinking_water, toilets, bench].filter((value) => value !== undefined);
  if (said.includes('yes')) return 'yes';
  return said.length > 0 ? 'no' : undefined;
}

function osmRow(element: OsmElement): RawPark {
  const { type, id, lat, lon, center, geometry, members, tags = {} } = element;
  // Of a park in several pieces the first outer one stands for all.
  const corners = geometry ?? members?.find((member) => member.role === 'outer')?.geometry;
  const outline = corners?.map((point): Point => [point.lon, point.lat]);
  const measured = outline && outline.length > 3 ? measureRing(outline) : null;
  const street = [tags['addr:street'], tags['addr:housenumber']].filter(Boolean).join(' ');
  const surface = tags.surface?.split(';').flatMap((one) => SURFACES[one.trim()] ?? []);
  const translations = LANGUAGES.flatMap((language) => [
    [`name_${language}`, tags[`name:${language}`]],
    [`city_${language}`, tags[`addr:city:${language}`]],
    [`address_${language}`, tags[`addr:street:${language}`]],
  ]);
  return {
    source_ref: `${type}/${id}`,
    lat: measured?.lat ?? lat ?? center?.lat,
    long: measured?.long ?? lon ?? center?.lon,
    ...(measured && measured.size >= 1 ? { size: measured.size } : {}),
    name: tags.name,
    city: tags['addr:city'],
    address: street,
    ...(surface && surface.length > 0 ? { materials: surface } : {}),
    has_facilities: facilities(tags),
    ...Object.fromEntries(translations),
  };
}

function readOsm(file: {
  elements: OsmElement[];
  osm3s?: { timestamp_osm_base?: string };
}): ReadFile {
  return {
    // Corners of outlines come along as elements without tags of their own.
    rows: file.elements.filter((element) => element.tags?.leisure === 'dog_park').map(osmRow),
    defaults: {
      source: 'OpenStreetMap',
      licence: 'ODbL 1.0',
      sourceDate: file.osm3s?.timestamp_osm_base?.slice(0, 10),
    },
  };
}

interface GeoFeature {
  id?: string | number;
  properties?: Record<string, unknown> | null;
  geometry?: { type: string; coordinates: unknown } | null;
}

function geoJsonRow({ id, properties, geometry }: GeoFeature): RawPark {
  const named = Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, value]) => [name.replace(':', '_'), value]),
  );
  const place = (() => {
    switch (geometry?.type) {
      case 'Point': {
        const [long, lat] = geometry.coordinates as Point;
        return { lat, long };
      }
      case 'Polygon':
        return measureRing((geometry.coordinates as Point[][])[0] ?? []);
      case 'MultiPolygon':
        return measureRing((geometry.coordinates as Point[][][])[0]?.[0] ?? []);
      default:
        return {};
    }
  })();
  return { source_ref: id, ...place, ...named };
}

/**
 * @param text the file's content
 * @throws StartError when it is none of the three kinds
 */
export function readParkFile(text: string): ReadFile {
  const content = text.replace(/^\uFEFF/, '');
  if (!/^\s*[{[]/.test(content)) {
    try {
      const rows = parse(content, {
        columns: true,
        trim: true,
        skip_empty_lines: true,
        relax_column_count: true,
      });
      return { rows: rows as RawPark[], defaults: {} };
    } catch (error) {
      throw new StartError(`The file is no CSV: ${(error as Error).message}.`, { cause: error });
    }
  }
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(content) as Record<string, unknown>;
  } catch (error) {
    throw new StartError(`The file is no JSON: ${(error as Error).message}.`, { cause: error });
  }
  if (Array.isArray(json.elements)) return readOsm(json as never);
  if (Array.isArray(json.features))
    return { rows: (json.features as GeoFeature[]).map(geoJsonRow), defaults: {} };
  throw new StartError(
    'The file is neither Overpass JSON (with "elements"), nor GeoJSON (with "features"), nor CSV.',
  );
}
