// The drawn ground under the tiles: lawns and paths, the same at each visit, so that a map without tiles is still a map.
import type { Coords } from 'leaflet';
import { GridLayer } from 'leaflet/src/layer/tile/GridLayer.js';

const SIZE = 512;
const SVG = 'http://www.w3.org/2000/svg';

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
export function groundPaths(x: number, y: number, salt: number): { lawns: string; paths: string } {
  const cut = (column: number, row: number, side: number) =>
    Math.round(SIZE * (0.15 + 0.7 * chance(column, row, salt * 4 + side)));
  const [west, east] = [cut(x, y, 0), cut(x + 1, y, 0)];
  const [north, south] = [cut(x, y, 1), cut(x, y + 1, 1)];
  const half = SIZE / 2;
  const across = `M0 ${west}C${half} ${west} ${half} ${east} ${SIZE} ${east}`;
  const down = `M${north} 0C${north} ${half} ${south} ${half} ${south} ${SIZE}`;
  const lawn = (at: number) => {
    const random = (salted: number) => chance(x, y, salt * 64 + at * 8 + salted);
    const [rx, ry] = [60 + 70 * random(1), 45 + 55 * random(2)].map(Math.round) as [number, number];
    const cx = Math.round(rx + (SIZE - 2 * rx) * random(3));
    const cy = Math.round(ry + (SIZE - 2 * ry) * random(4));
    return `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`;
  };
  return { lawns: `${lawn(1)}${lawn(2)}`, paths: `${across}${down}` };
}

export class GroundLayer extends GridLayer {
  constructor() {
    super({ tileSize: SIZE, className: 'map-ground', updateWhenZooming: false, keepBuffer: 1 });
  }

  protected override createTile({ x, y, z }: Coords): HTMLElement {
    const { lawns, paths } = groundPaths(x, y, z);
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 ${String(SIZE)} ${String(SIZE)}`);
    for (const [className, data] of [
      ['lawn', lawns],
      ['path', paths],
    ] as const) {
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('class', className);
      path.setAttribute('d', data);
      svg.append(path);
    }
    return svg as unknown as HTMLElement;
  }
}
