// Converts one feature of any format: rows of tables, elements of Overpass JSON, GeoJSON and Esri JSON.
import osm2geojson from 'osm2geojson-lite';
import type { Geometry } from '#/product/imports/geometry.ts';
import { ValueError } from '#/product/imports/values.ts';

/** A feature in the form that all formats are converted to. It is not validated yet. */
export interface Feature {
  /** The feature's ID in the file. */
  id?: unknown;
  geometry: Geometry | null;
  /** Columns, properties or tags, by the names that the file uses. */
  values: Record<string, unknown>;
}

type OsmPoint = { lat: number; lon: number } | null;
interface OsmMember {
  type?: string;
  ref?: number;
  role?: string;
  lat?: number;
  lon?: number;
  geometry?: OsmPoint[];
}
interface OsmElement {
  type?: string;
  id?: number;
  lat?: number;
  lon?: number;
  center?: OsmPoint;
  bounds?: { minlat: number; minlon: number; maxlat: number; maxlon: number };
  geometry?: OsmPoint[];
  members?: (OsmMember | null)[];
  tags?: Record<string, string>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pointsOf = (points: unknown): NonNullable<OsmPoint>[] =>
  (Array.isArray(points) ? points : []).filter(
    (point: unknown): point is NonNullable<OsmPoint> =>
      isObject(point) && Number.isFinite(point.lat) && Number.isFinite(point.lon),
  );

const pointAt = (lat: unknown, lon: unknown): Geometry => ({
  type: 'Point',
  coordinates: [lon, lat],
});

function middleOf(points: NonNullable<OsmPoint>[]): Geometry | null {
  if (points.length === 0) return null;
  const mean = (pick: 'lat' | 'lon') =>
    points.reduce((sum, point) => sum + point[pick], 0) / points.length;
  return pointAt(mean('lat'), mean('lon'));
}

/** Joins the ways of a relation into rings. Returns null if they do not enclose an area. */
function outlineOf(members: OsmMember[]): Geometry | null {
  const ways = members
    .map(({ ref = 0, role, geometry }) => ({
      type: 'way',
      ref,
      role: role === 'inner' ? 'inner' : role === '' || role === undefined ? 'outer' : role,
      geometry: pointsOf(geometry),
    }))
    .filter(({ role, geometry }) => ['outer', 'inner'].includes(role) && geometry.length > 1);
  const element = { type: 'relation', id: 1, tags: { type: 'multipolygon' }, members: ways };
  const { features } = osm2geojson({ elements: [element] }, { completeFeature: true });
  const [first] = features;
  return first?.geometry.type === 'Polygon' || first?.geometry.type === 'MultiPolygon'
    ? first.geometry
    : null;
}

function geometryOfElement(element: OsmElement): Geometry | null {
  const { lat, lon, center, bounds } = element;
  const members = (Array.isArray(element.members) ? element.members : []).filter(
    isObject,
  ) as OsmMember[];
  const line = pointsOf(element.geometry);
  const [first, last] = [line[0], line.at(-1)];
  if (lat !== undefined) return pointAt(lat, lon);
  if (line.length > 3 && first?.lat === last?.lat && first?.lon === last?.lon)
    return { type: 'Polygon', coordinates: [line.map((point) => [point.lon, point.lat])] };
  const outline = outlineOf(members);
  if (outline) return outline;
  // Open ways, incomplete relations and results of "out center" have a place but no outline.
  if (center) return pointAt(center.lat, center.lon);
  if (bounds)
    return pointAt((bounds.minlat + bounds.maxlat) / 2, (bounds.minlon + bounds.maxlon) / 2);
  return middleOf([
    ...line,
    ...members.flatMap(({ geometry }) => pointsOf(geometry)),
    ...pointsOf(members),
  ]);
}

/**
 * Converts an element of Overpass JSON. Returns null for an element without tags, which is a corner of another element.
 * @throws ValueError
 */
export function fromOsmElement(element: unknown): Feature | null {
  if (!isObject(element)) throw new ValueError('element', String(element), 'element');
  const { type, id, tags } = element as OsmElement;
  if (!isObject(tags) || Object.keys(tags).length === 0) return null;
  const geometry = geometryOfElement(element as OsmElement);
  if (!geometry)
    throw new ValueError('geometry', '', 'Overpass with geometry', {
      service: 'Overpass',
      command: '"out geom;"',
      id: `${type}/${id}`,
    });
  return { id: `${type}/${id}`, geometry, values: tags };
}

/** @throws ValueError */
export function fromGeoJson(feature: unknown): Feature {
  if (!isObject(feature)) throw new ValueError('feature', String(feature), 'GeoJSON feature');
  const { id, properties, geometry } = feature;
  return {
    id,
    geometry: isObject(geometry) ? geometry : null,
    values: isObject(properties) ? properties : {},
  };
}

/** Groups the rings of Esri JSON into polygons: each clockwise ring is an outer ring, and the rings after it are its holes. */
function polygonsOf(rings: unknown[]): unknown[][] {
  const polygons: unknown[][] = [];
  for (const ring of rings) {
    const corners = (Array.isArray(ring) ? ring : []) as [number, number][];
    const area = corners.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = corners[index + 1] ?? [x, y];
      return sum + (nextX - x) * (nextY + y);
    }, 0);
    const polygon = polygons.at(-1);
    if (area < 0 && polygon) polygon.push(ring);
    else polygons.push([ring]);
  }
  return polygons;
}

/** Converts a feature of Esri JSON, the format of ArcGIS servers with f=json. @throws ValueError */
export function fromEsri(feature: unknown): Feature {
  if (!isObject(feature)) throw new ValueError('feature', String(feature), 'feature');
  const { attributes, geometry } = feature;
  const values = isObject(attributes) ? attributes : {};
  const id = values.OBJECTID ?? values.objectid ?? values.FID;
  if (!isObject(geometry)) return { id, geometry: null, values };
  const { x, y, rings, points, paths } = geometry;
  const read: Geometry = Array.isArray(rings)
    ? { type: 'MultiPolygon', coordinates: polygonsOf(rings) }
    : Array.isArray(points)
      ? { type: 'MultiPoint', coordinates: points }
      : Array.isArray(paths)
        ? { type: 'MultiLineString', coordinates: paths }
        : { type: 'Point', coordinates: [x, y] };
  return { id, geometry: read, values };
}

/** Converts a row of a table, or of a JSON array of plain objects. @throws ValueError */
export function fromTable(row: unknown): Feature {
  if (!isObject(row)) throw new ValueError('row', String(row), 'object');
  return { geometry: null, values: row };
}
