// Outlines on the ground: their middle, their area (good to a percent at the size of a park), and how they are stored.

type Position = [long: number, lat: number];

/** A place on earth in degrees (WGS 84). */
export interface Place {
  lat: number;
  long: number;
}

/** A GeoJSON geometry with an area. */
export type Outline =
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };

const METRES_PER_DEGREE = 111_195;
/** Six decimals are a decimetre. */
const DECIMALS = 1e6;
/** An outline with more corners is measured, but not stored: no dog park needs them. */
const MOST_CORNERS = 1000;

/** The centroid and the area in square metres of one ring; the plain mean and 0 where it has no area. */
function measureRing(ring: Position[]): { lat: number; long: number; size: number } {
  const [first = [0, 0]] = ring;
  const narrowing = Math.cos((first[1] * Math.PI) / 180);
  // Metres from the first corner: near enough to flat, and no digits are lost.
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
  const [x, y] =
    Math.abs(doubled) < 1
      ? [mean((corner) => corner.x), mean((corner) => corner.y)]
      : [sumX / (3 * doubled), sumY / (3 * doubled)];
  return {
    long: first[0] + x / METRES_PER_DEGREE / narrowing,
    lat: first[1] + y / METRES_PER_DEGREE,
    size: Math.abs(doubled) / 2,
  };
}

const ringsOf = (outline: Outline): Position[][][] =>
  outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;

/** The middle of the largest piece, and the area of all pieces without their holes. */
export function measureOutline(outline: Outline): { lat: number; long: number; size: number } {
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

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number';

const readRing = (ring: unknown): Position[] =>
  (Array.isArray(ring) ? ring : [])
    .filter(isPosition)
    .map(([long, lat]) => [
      Math.round(long * DECIMALS) / DECIMALS,
      Math.round(lat * DECIMALS) / DECIMALS,
    ]);

/** @param geometry a GeoJSON geometry, as a file gives it @returns null where it encloses nothing */
export function outlineOf(
  geometry: { type?: string; coordinates?: unknown } | null | undefined,
): Outline | null {
  const { type, coordinates } = geometry ?? {};
  const polygons =
    type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? (coordinates as unknown[]) : [];
  const pieces = (Array.isArray(polygons) ? polygons : [])
    .map((rings) => (Array.isArray(rings) ? rings : []).map(readRing))
    .filter(([outer]) => outer !== undefined && outer.length > 3)
    .map(([outer = [], ...holes]) => [outer, ...holes.filter((hole) => hole.length > 3)]);
  if (pieces.length === 0) return null;
  return pieces.length === 1
    ? { type: 'Polygon', coordinates: pieces[0] ?? [] }
    : { type: 'MultiPolygon', coordinates: pieces };
}

/** The outline itself, or null where it is too large to be stored. */
export const storedOutline = (outline: Outline): Outline | null =>
  ringsOf(outline).flat(2).length > MOST_CORNERS ? null : outline;

/** The place of a GeoJSON geometry without an area; nothing where it has none. */
export function pointOf(geometry: { type?: string; coordinates?: unknown } | null | undefined): {
  lat?: unknown;
  long?: unknown;
} {
  const { type, coordinates } = geometry ?? {};
  const point = type === 'MultiPoint' && Array.isArray(coordinates) ? coordinates[0] : coordinates;
  if ((type !== 'Point' && type !== 'MultiPoint') || !Array.isArray(point)) return {};
  return { long: point[0] as unknown, lat: point[1] as unknown };
}
