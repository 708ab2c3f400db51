// The shapes of the drawn ground: lawns, paths and trails of one tile, from nothing but its place.
/** Pixels along the side of a tile of ground. */
export const GROUND_SIZE = 512;

/** A number from 0 to 1 that depends on nothing but its arguments (a small integer hash). */
function chance(x: number, y: number, salt: number): number {
  let hash = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(salt, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/**
 * The path data of one tile. Paths leave a tile where its neighbour's begin and at a right angle to the edge, so that they join.
 * @param salt differs by zoom, so that each level has its own ground
 */
export function groundPaths(
  x: number,
  y: number,
  salt: number,
): { lawns: string; paths: string; trails: string } {
  const cut = (column: number, row: number, side: number) =>
    Math.round(GROUND_SIZE * (0.15 + 0.7 * chance(column, row, salt * 4 + side)));
  const [west, east] = [cut(x, y, 0), cut(x + 1, y, 0)];
  const [north, south] = [cut(x, y, 1), cut(x, y + 1, 1)];
  const half = GROUND_SIZE / 2;
  const across = `M0 ${west}C${half} ${west} ${half} ${east} ${GROUND_SIZE} ${east}`;
  const down = `M${north} 0C${north} ${half} ${south} ${half} ${south} ${GROUND_SIZE}`;
  const [west2, east2] = [cut(x, y, 2), cut(x + 1, y, 2)];
  const [north2, south2] = [cut(x, y, 3), cut(x, y + 1, 3)];
  const trails =
    `M0 ${west2}C${half} ${west2} ${north2} ${half} ${north2} 0` +
    `M${GROUND_SIZE} ${east2}C${half} ${east2} ${south2} ${half} ${south2} ${GROUND_SIZE}`;
  const lawn = (at: number) => {
    const random = (salted: number) => chance(x, y, salt * 64 + at * 8 + salted);
    const [rx, ry] = [60 + 70 * random(1), 45 + 55 * random(2)].map(Math.round) as [number, number];
    const cx = Math.round(rx + (GROUND_SIZE - 2 * rx) * random(3));
    const cy = Math.round(ry + (GROUND_SIZE - 2 * ry) * random(4));
    return `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`;
  };
  return { lawns: `${lawn(1)}${lawn(2)}`, paths: `${across}${down}`, trails };
}
