// Converts geometries of every format to a place with an outline: the centre, the shape, and the area, which is accurate to one
// percent at the size of a park.
import { wktToGeoJSON } from 'betterknown';
import {
  projectedDegrees,
  projectionFrom,
  type Position,
  type Projection,
} from '#/product/imports/projections.ts';
import { shownValue, ValueError } from '#/product/imports/values.ts';

/** Coordinates in degrees (WGS 84). */
export interface Place {
  lat: number;
  long: number;
}

/** A GeoJSON geometry with an area. */
export type Outline =
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };

const METRES_PER_DEGREE = 111_195;
/** Six decimals are a precision of about ten centimetres. */
const DECIMALS = 1e6;
/** If an outline has more corners, only its area and centre are stored. Dog parks do not need more. */
const MAX_CORNERS = 1000;

/**
 * Returns the centroid of a ring and its area in square metres. For a ring without an area, returns the mean of its corners and 0.
 */
function measureRing(ring: Position[]): { lat: number; long: number; size: number } {
  const [first = [0, 0]] = ring;
  const narrowing = Math.cos((first[1] * Math.PI) / 180);
  // Converts the corners to metres, relative to the first corner so that the numbers stay precise. At this size the earth's surface
  // is flat enough.
  const corners = ring.map(([long, lat]) => ({
    x: (long - first[0]) * METRES_PER_DEGREE * narrowing,
    y: (lat - first[1]) * METRES_PER_DEGREE,
  }));
  let doubled = 0;
  let sumX = 0;
  let sumY = 0;
  corners.forEach((corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner;
    const cross = corner.x * next.y - next.x * corner.y;
    doubled += cross;
    sumX += (corner.x + next.x) * cross;
    sumY += (corner.y + next.y) * cross;
  });
  const mean = (pick: (corner: { x: number; y: number }) => number) =>
    corners.reduce((sum, corner) => sum + pick(corner), 0) / corners.length;
  const isWithin = (value: number, pick: (corner: { x: number; y: number }) => number) =>
    corners.some((corner) => pick(corner) <= value) &&
    corners.some((corner) => pick(corner) >= value);
  const [centerX, centerY] = [sumX / (3 * doubled), sumY / (3 * doubled)];
  // If a ring crosses itself, the computed centroid may be outside of it. In that case the mean of the corners is used.
  const [x, y] =
    Math.abs(doubled) >= 1 &&
    isWithin(centerX, (corner) => corner.x) &&
    isWithin(centerY, (corner) => corner.y)
      ? [centerX, centerY]
      : [mean((corner) => corner.x), mean((corner) => corner.y)];
  return {
    long: first[0] + x / METRES_PER_DEGREE / narrowing,
    lat: first[1] + y / METRES_PER_DEGREE,
    size: Math.abs(doubled) / 2,
  };
}

const ringsOf = (outline: Outline): Position[][][] =>
  outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;

/** Computes the centre of the largest piece, and the area of all pieces without their holes. */
function measureOutline(outline: Outline): { lat: number; long: number; size: number } {
  const pieces = ringsOf(outline).map(([outer = [], ...holes]) => ({
    ...measureRing(outer),
    holes: holes.reduce((sum, hole) => sum + measureRing(hole).size, 0),
  }));
  const largest = pieces.reduce((best, piece) => (piece.size > best.size ? piece : best));
  return {
    lat: largest.lat,
    long: largest.long,
    size: pieces.reduce((sum, piece) => sum + Math.max(0, piece.size - piece.holes), 0),
  };
}

/** A feature's place and its outline, if it has an area. */
export interface Location extends Place {
  outline: Outline | null;
  /** Square metres; null for a point. */
  size: number | null;
}

const isPosition = (value: unknown): value is [number, number] =>
  Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]);

function noDegrees(x: unknown, y: unknown): ValueError {
  const value = `${shownValue(x)}, ${shownValue(y)}`;
  return Math.abs(Number(x)) > 1000 || Math.abs(Number(y)) > 1000
    ? new ValueError('geometry', value, 'degrees of projected', projectedDegrees(180))
    : new ValueError('geometry', value, 'position');
}

function readPosition(value: unknown, projection: Projection | null): Position {
  if (!isPosition(value)) throw new ValueError('geometry', shownValue(value), 'numbers');
  const [long, lat] = projection ? projection([value[0], value[1]]) : value;
  // A longitude may exceed 180, because a polygon across the antimeridian may continue there.
  if (!(Math.abs(lat) <= 90 && Math.abs(long) <= 540)) throw noDegrees(value[0], value[1]);
  return [long, lat];
}

const round = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS;
/** Returns the same meridian as a longitude that is nearest to another longitude. */
const nearestTurn = (long: number, near: number) => long - 360 * Math.round((long - near) / 360);
const onEarth = (long: number) => (Math.abs(long) > 180 ? nearestTurn(long, 0) : long);

const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads rings with an area. Longitudes do not jump at the antimeridian. */
function readOutline(polygons: unknown[], projection: Projection | null): Outline | null {
  let near: number | undefined;
  const readRing = (ring: unknown): Position[] => {
    const corners = arrayOf(ring).map((corner): Position => {
      const [long, lat] = readPosition(corner, projection);
      near = nearestTurn(long, near ?? long);
      return [near, lat];
    });
    const [first, last] = [corners[0], corners.at(-1)];
    if (first && last && (first[0] !== last[0] || first[1] !== last[1])) corners.push(first);
    return corners;
  };
  const pieces = polygons
    .map((rings) => arrayOf(rings).map(readRing))
    .filter(([outer]) => outer !== undefined && outer.length > 3)
    .map(([outer = [], ...holes]) => [outer, ...holes.filter((hole) => hole.length > 3)]);
  if (pieces.length === 0) return null;
  return pieces.length === 1
    ? { type: 'Polygon', coordinates: pieces[0] ?? [] }
    : { type: 'MultiPolygon', coordinates: pieces };
}

const isClosed = (line: unknown): boolean => {
  const corners = arrayOf(line);
  return corners.length > 3 && JSON.stringify(corners[0]) === JSON.stringify(corners.at(-1));
};

function locate(outline: Outline): Location {
  const { lat, long, size } = measureOutline(outline);
  const turn = onEarth(long) - long;
  const rings = ringsOf(outline).map((polygon) =>
    polygon.map((ring) => ring.map(([x, y]): Position => [round(x + turn), round(y)])),
  );
  const stored: Outline | null =
    rings.flat(2).length > MAX_CORNERS
      ? null
      : outline.type === 'Polygon'
        ? { type: 'Polygon', coordinates: rings[0] ?? [] }
        : { type: 'MultiPolygon', coordinates: rings };
  return { lat, long: long + turn, outline: stored, size };
}

export interface Geometry {
  type?: unknown;
  coordinates?: unknown;
  geometries?: unknown;
}

const MAX_NESTED = 5;

/**
 * Splits a geometry into polygons and points.
 * @throws ValueError if it has neither
 */
function partsOf(geometry: Geometry, depth = 0): { polygons: unknown[]; points: unknown[] } {
  const { type, coordinates } = geometry;
  switch (type) {
    case 'Point':
      return { polygons: [], points: [coordinates] };
    case 'MultiPoint':
      return { polygons: [], points: arrayOf(coordinates) };
    case 'Polygon':
      return { polygons: [coordinates], points: [] };
    case 'MultiPolygon':
      return { polygons: arrayOf(coordinates), points: [] };
    case 'LineString':
      if (isClosed(coordinates)) return { polygons: [[coordinates]], points: [] };
      break;
    case 'MultiLineString':
      if (arrayOf(coordinates).length > 0 && arrayOf(coordinates).every(isClosed))
        return { polygons: arrayOf(coordinates).map((line) => [line]), points: [] };
      break;
    case 'GeometryCollection': {
      if (depth > MAX_NESTED) break;
      const parts = arrayOf(geometry.geometries).map((part) =>
        partsOf((part ?? {}) as Geometry, depth + 1),
      );
      return {
        polygons: parts.flatMap(({ polygons }) => polygons),
        points: parts.flatMap(({ points }) => points),
      };
    }
  }
  throw new ValueError('geometry', shownValue(type), 'point or polygon', {
    command: '"ogr2ogr -nlt POLYGON"',
  });
}

/**
 * Reads a GeoJSON geometry, also with common deviations from the standard.
 * @param projection converts the file's coordinates to degrees
 * @throws ValueError if the geometry has no place
 */
export function readGeometry(geometry: Geometry, projection: Projection | null): Location {
  const { polygons, points } = partsOf(geometry);
  const outline = readOutline(polygons, projection);
  if (outline) return locate(outline);
  const [point = polygons.flat(2)[0]] = points;
  if (point === undefined)
    throw new ValueError('geometry', shownValue(geometry.type), 'coordinates');
  const [long, lat] = readPosition(point, projection);
  if (Math.abs(long) > 180) throw noDegrees(...(arrayOf(point) as [unknown, unknown]));
  return { lat, long, outline: null, size: null };
}

const WKT =
  /^\s*(?:SRID=(\d+);\s*)?(?:MULTI)?(?:POINT|POLYGON|LINESTRING|GEOMETRYCOLLECTION)\s*(?:Z|M|ZM)?\s*\(/i;

/** @returns true if a cell contains a geometry as WKT, the format of PostGIS and most open data portals */
export const isWkt = (cell: string): boolean => WKT.test(cell);

/** @throws ValueError, or StartError for an unknown coordinate system */
export function readWkt(cell: string, projection: Projection | null): Location {
  const [, srid] = WKT.exec(cell) ?? [];
  let geometry: Geometry | null = null;
  try {
    geometry = wktToGeoJSON(cell.replace(/^\s*SRID=\d+;/i, '').trim()) as Geometry | null;
  } catch {
    // The parser's own message is not helpful.
  }
  if (!geometry)
    throw new ValueError('geometry', shownValue(cell), 'WKT', {
      format: 'WKT',
      example: 'POINT (34.78 32.07)',
    });
  return readGeometry(geometry, srid === undefined ? projection : projectionFrom(srid));
}
