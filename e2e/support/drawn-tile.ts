// Draws a map tile of an invented town from its coordinates, so screenshots show a map without an external service.
import sharp from 'sharp';

const SIZE = 256;
/** Distance between streets in pixels at zoom 16. */
const BLOCK = 150;
/** Rotation of the town's grid in degrees. */
const TILT = 11;

const LAND = '#f1ecdf';
const BUILDING = '#e3dccb';
const GREEN = '#cfe3b8';
const STREET = '#ffffff';
const AVENUE = '#fbe3a6';

/** A pseudo-random number from 0 to 1 for a block of the town. */
function chance(column: number, row: number, salt: number): number {
  const wave = Math.sin(column * 127.1 + row * 311.7 + salt * 74.7) * 43758.5453;
  return wave - Math.floor(wave);
}

function block(column: number, row: number): string {
  const [x, y] = [column * BLOCK, row * BLOCK];
  const rectangle = (dx: number, dy: number, width: number, height: number, fill: string) =>
    `<rect x="${x + dx}" y="${y + dy}" width="${width}" height="${height}" rx="6" fill="${fill}"/>`;
  if (chance(column, row, 1) < 0.18) return rectangle(10, 10, BLOCK - 20, BLOCK - 20, GREEN);
  const houses = [0, 1, 2, 3].map((index) => {
    const width = 30 + 24 * chance(column, row, index + 2);
    const height = 26 + 26 * chance(column, row, index + 7);
    return rectangle(18 + 62 * (index % 2), 18 + 62 * (index >> 1), width, height, BUILDING);
  });
  return houses.join('');
}

/** PNG bytes of a 256-pixel tile, by the zoom, column and row in its path. Neighbouring tiles match at every zoom. */
export function drawnTile(path: string): Promise<Buffer> {
  const [zoom = 0, column = 0, row = 0] = (path.match(/\d+/g) ?? []).map(Number);
  const scale = 2 ** (zoom - 16);
  // Coordinates are relative to the tile's centre, to keep numbers small.
  const turn = (TILT * Math.PI) / 180;
  const worldX = (column * SIZE) / scale;
  const worldY = (row * SIZE) / scale;
  const side = SIZE / scale;
  const corners = [
    [worldX, worldY],
    [worldX + side, worldY],
    [worldX, worldY + side],
    [worldX + side, worldY + side],
  ].map(([x = 0, y = 0]) => [
    x * Math.cos(turn) + y * Math.sin(turn),
    y * Math.cos(turn) - x * Math.sin(turn),
  ]);
  const lines = (axis: 0 | 1) => {
    const values = corners.map((corner) => corner[axis] ?? 0);
    const first = Math.floor(Math.min(...values) / BLOCK) - 1;
    const last = Math.ceil(Math.max(...values) / BLOCK) + 1;
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  };
  const [columns, rows] = [lines(0), lines(1)];
  const [left = 0, right = 0] = [columns[0], columns.at(-1)].map((each) => (each ?? 0) * BLOCK);
  const [top = 0, bottom = 0] = [rows[0], rows.at(-1)].map((each) => (each ?? 0) * BLOCK);
  const street = (index: number, line: string) => {
    const avenue = index % 4 === 0;
    return `<path d="${line}" stroke="${avenue ? AVENUE : STREET}" stroke-width="${avenue ? 16 : 9}"/>`;
  };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">
<rect width="100%" height="100%" fill="${LAND}"/>
<g transform="scale(${scale}) translate(${-worldX} ${-worldY}) rotate(${TILT})">
${columns.flatMap((each) => rows.map((other) => block(each, other))).join('')}
${columns.map((each) => street(each, `M${each * BLOCK} ${top}V${bottom}`)).join('')}
${rows.map((each) => street(each, `M${left} ${each * BLOCK}H${right}`)).join('')}
</g></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
