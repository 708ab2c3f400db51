// Fetches the tiles of the areas to save in few requests, and deletes saved tiles outside of them.
import { EtagMismatch } from 'pmtiles';
import type { TilePlace } from '#/map/vector/drawer-protocol.ts';
import { tilesOf } from '#/map/vector/map-areas.ts';
import { keyOf, type MapArchive, type TileBytes } from '#/map/vector/map-archive.ts';
import type { Area } from '#/map/vector/offline-map.ts';
import { offlineMapTiles } from '#/map/vector/offline-map-tiles.ts';
import { MAX_OFFLINE_MAP_BYTES } from '#/offline/limits.ts';

/** A country has a million. */
const MAX_TILES_LOOKED_AT = 6000;
/** The host gives 1 MB at once; a gap is cheaper than another request. */
const MAX_AT_ONCE = 512 * 1024;
const SMALL_GAP = 16 * 1024;
const TRIES = 5;
const PAUSE_MS = 1000;

interface Wanted extends TileBytes {
  place: TilePlace;
}

/** What a file says of its tiles without giving them. */
type Directory = Pick<MapArchive, 'header' | 'locate'>;

/** The tiles of some areas in the order of the file; null where they are too many or too large. @throws without a network */
async function wanted(archive: Directory, areas: readonly Area[]): Promise<Wanted[] | null> {
  const { minZoom, maxZoom } = await archive.header();
  const places = tilesOf(areas, { min: minZoom, max: maxZoom }, MAX_TILES_LOOKED_AT);
  if (!places) return null;
  const found: Wanted[] = [];
  for (const place of places) {
    const bytes = await archive.locate(place);
    if (bytes) found.push({ place, ...bytes });
  }
  return bytesOf(found) > MAX_OFFLINE_MAP_BYTES
    ? null
    : found.sort((one, other) => one.offset - other.offset);
}

const bytesOf = (tiles: readonly Wanted[]) => tiles.reduce((sum, { length }) => sum + length, 0);

/** Bytes that saving some areas takes; null if it is more than the quota. @throws without a network */
export async function measureAreas(archive: Directory, areas: readonly Area[]) {
  const tiles = await wanted(archive, areas);
  return tiles && bytesOf(tiles);
}

/** Tiles that lie beside each other in the file, together as far as one request goes. */
export function inRequests(tiles: readonly Wanted[]): Wanted[][] {
  const requests: Wanted[][] = [];
  for (const tile of tiles) {
    const last = requests.at(-1);
    const first = last?.[0];
    const end = Math.max(...(last ?? []).map(({ offset, length }) => offset + length));
    const fits =
      first &&
      tile.offset - end <= SMALL_GAP &&
      tile.offset + tile.length - first.offset <= MAX_AT_ONCE;
    if (fits) last.push(tile);
    else requests.push([tile]);
  }
  return requests;
}

/** Bytes of the file; asks again where the host says that it is too much at once, or the line is bad for a moment. */
async function patiently(
  archive: MapArchive,
  bytes: TileBytes,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await archive.bytes(bytes, signal);
    } catch (error) {
      if (attempt === TRIES || signal.aborted || error instanceof EtagMismatch) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/**
 * Keeps the tiles of some areas, and no others.
 * @param told how much is done, from 0 to 1
 * @returns their bytes; null where they are more than the quota
 * @throws where the network, the device's disk or `signal` ends it; what was fetched until then stays
 */
export async function saveAreas(
  archive: MapArchive,
  areas: readonly Area[],
  told: (done: number) => void,
  signal: AbortSignal,
): Promise<number | null> {
  const tiles = await wanted(archive, areas);
  if (!tiles) return null;
  const store = offlineMapTiles();
  const all = bytesOf(tiles);
  let done = 0;
  for (const request of inRequests(tiles)) {
    const offset = request[0]?.offset ?? 0;
    const end = Math.max(...request.map((tile) => tile.offset + tile.length));
    const bytes = await patiently(archive, { offset, length: end - offset }, signal);
    for (const tile of request) {
      signal.throwIfAborted();
      const start = tile.offset - offset;
      await store.set(keyOf(tile.place), {
        version: archive.version,
        at: Date.now(),
        type: '',
        buffer: bytes.slice(start, start + tile.length),
      });
      done += tile.length;
    }
    told(all > 0 ? done / all : 1);
  }
  const theirs = new Set(tiles.map(({ place }) => keyOf(place)));
  await store.delete(...(await store.keys()).filter((key) => !theirs.has(key)));
  return all;
}
