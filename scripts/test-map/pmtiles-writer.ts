// Writes a PMTiles archive (version 3) of a few thousand tiles: two steps of directories as in large ones, tiles in order, equal ones stored once.
import { gzipSync } from 'node:zlib';
import Pbf from 'pbf';
import { zxyToTileId } from 'pmtiles';

const HEADER_BYTES = 127;
/** Tiles of one leaf directory. */
const LEAF_TILES = 16;
const GZIP = 2;
const MVT = 1;

export interface Tile {
  z: number;
  x: number;
  y: number;
  /** Not compressed. */
  bytes: Uint8Array;
}

interface Entry {
  /** Of a tile, or of the first one in a leaf directory. */
  id: number;
  offset: number;
  length: number;
}

const zip = (bytes: Uint8Array | string): Buffer => gzipSync(bytes, { level: 9 });

function directory(entries: Entry[], of: 'tiles' | 'leaves'): Buffer {
  const pbf = new Pbf();
  pbf.writeVarint(entries.length);
  entries.forEach(({ id }, at) => pbf.writeVarint(id - (entries[at - 1]?.id ?? 0)));
  for (const _ of entries) pbf.writeVarint(of === 'tiles' ? 1 : 0);
  for (const { length } of entries) pbf.writeVarint(length);
  entries.forEach(({ offset }, at) => {
    const before = entries[at - 1];
    pbf.writeVarint(before && before.offset + before.length === offset ? 0 : offset + 1);
  });
  return zip(pbf.finish());
}

/**
 * @param bounds west, south, east, north in degrees
 * @param metadata what the archive says of itself
 */
export function writeArchive(
  tiles: Tile[],
  bounds: readonly [number, number, number, number],
  metadata: object,
): Buffer {
  const stored = new Map<string, { offset: number; length: number }>();
  const parts: Buffer[] = [];
  let length = 0;
  const entries = tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes: zip(bytes) }))
    .sort((one, other) => one.id - other.id)
    .map(({ id, bytes }): Entry => {
      const key = bytes.toString('base64');
      const known = stored.get(key);
      if (known) return { id, ...known };
      const place = { offset: length, length: bytes.length };
      stored.set(key, place);
      parts.push(bytes);
      length += bytes.length;
      return { id, ...place };
    });
  const leaves = Array.from({ length: Math.ceil(entries.length / LEAF_TILES) }, (_, at) =>
    entries.slice(at * LEAF_TILES, (at + 1) * LEAF_TILES),
  );
  const directories = leaves.map((leaf) => directory(leaf, 'tiles'));
  let leafBytes = 0;
  const pointers = leaves.map((leaf, at): Entry => {
    const place = { offset: leafBytes, length: directories[at]?.length ?? 0 };
    leafBytes += place.length;
    return { id: leaf[0]?.id ?? 0, ...place };
  });
  const root = directory(pointers, 'leaves');
  const json = zip(JSON.stringify(metadata));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  const numbers = [
    HEADER_BYTES,
    root.length,
    HEADER_BYTES + root.length,
    json.length,
    HEADER_BYTES + root.length + json.length,
    leafBytes,
    HEADER_BYTES + root.length + json.length + leafBytes,
    length,
    entries.length,
    entries.length,
    stored.size,
  ];
  numbers.forEach((number, at) => header.writeBigUInt64LE(BigInt(number), 8 + 8 * at));
  const zooms = tiles.map(({ z }) => z);
  header.set([1, GZIP, GZIP, MVT, Math.min(...zooms), Math.max(...zooms)], 96);
  const [west, south, east, north] = bounds;
  [west, south, east, north].forEach((degrees, at) =>
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * at),
  );
  header[118] = 14;
  header.writeInt32LE(Math.round(((west + east) / 2) * 1e7), 119);
  header.writeInt32LE(Math.round(((south + north) / 2) * 1e7), 123);
  return Buffer.concat([header, root, json, ...directories, ...parts]);
}
