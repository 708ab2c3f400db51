// One thing of a file of parks, whatever its format, and the readings of OpenStreetMap's JSON and of GeoJSON.
import { outlineOf, pointOf, type Outline } from '#/product/imports/geometry.ts';

/** What every format is reduced to; not validated yet. */
export interface Feature {
  /** The id that the file gives it. */
  id?: unknown;
  lat?: unknown;
  long?: unknown;
  outline?: Outline | null;
  /** Its columns, properties or tags, by the names that the file uses. */
  values: Record<string, unknown>;
}

interface OsmPoint {
  lat: number;
  lon: number;
}
export interface OsmElement {
  type?: string;
  id?: number;
  lat?: number;
  lon?: number;
  center?: OsmPoint;
  geometry?: (OsmPoint | null)[];
  members?: { role?: string; geometry?: (OsmPoint | null)[] }[];
  tags?: Record<string, string>;
}
export interface GeoFeature {
  id?: string | number;
  properties?: Record<string, unknown> | null;
  geometry?: { type?: string; coordinates?: unknown } | null;
}

const positions = (points: (OsmPoint | null)[] = []) =>
  points.flatMap((point) => (point ? [[point.lon, point.lat]] : []));

/** An element of Overpass JSON. Corners of outlines come along as elements without tags: null. */
export function fromOsmElement(element: OsmElement | null): Feature | null {
  const { type, id, lat, lon, center, geometry, members, tags } = element ?? {};
  if (!tags || Object.keys(tags).length === 0) return null;
  const outer = members?.filter(({ role }) => role === 'outer') ?? [];
  const outline = outlineOf(
    outer.length > 0
      ? { type: 'MultiPolygon', coordinates: outer.map((member) => [positions(member.geometry)]) }
      : { type: 'Polygon', coordinates: [positions(geometry)] },
  );
  return {
    id: `${type}/${id}`,
    lat: lat ?? center?.lat,
    long: lon ?? center?.lon,
    outline,
    values: tags,
  };
}

/** @throws Error that names what is wrong, for the feature's row */
export function fromGeoJson(feature: GeoFeature | null): Feature {
  if (typeof feature !== 'object' || feature === null) throw new Error('there is no feature');
  const { id, properties, geometry } = feature;
  return { id, ...pointOf(geometry), outline: outlineOf(geometry), values: properties ?? {} };
}
