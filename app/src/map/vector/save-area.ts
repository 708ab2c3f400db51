// Fetches the tiles of the areas to save in few requests, and deletes saved tiles outside of them.
import { EtagMismatch } from 'pmtiles';
import type { TilePlace } from '#/map/vector/renderer-protocol.ts';
import { tilesOf } from '#/map/vector/map-areas.ts';
import { keyOf, type MapArchive, type TileBytes } from '#/map/vector/map-archive.ts';
import type { Area } from '#/map/vector/offline-map.ts';
import { offlineMapTiles } from '#/map/vector/offline-map-tiles.ts';
import { MAX_OFFLINE_MAP_BYTES } from '#/offline/cache-limits.ts';

/** Maximum number of tiles to save; a whole country would have a million. */
const MAX_TILES = 6000;
/** The host limits a range to 1 MB. Fetching a small gap between two tiles is cheaper than another request. */
const MAX_REQUEST_BYTES = 512 * 1024;
const MAX_GAP_BYTES = 16 * 1024;
const MAX_ATTEMPTS = 5;
const PAUSE_MS = 1000;

interface LocatedTile extends TileBytes {
  place: TilePlace;
}

/** The part of an archive that locates tiles without reading them. */
type Directory = Pick<MapArchive, 'header' | 'locate'>;

/** Tiles of the areas in file order; null if there are too many or they are too large. @throws when offline */
async function locateTiles(
  archive: Directory,
  areas: readonly Area[],
): Promise<LocatedTile[] | null> {
  const { minZoom, maxZoom } = await archive.header();
  const places = tilesOf(areas, { min: minZoom, max: maxZoom }, MAX_TILES);
  if (!places) return null;
  const found: LocatedTile[] = [];
  for (const place of places) {
    const bytes = await archive.locate(place);
    if (bytes) found.push({ place, ...bytes });
  }
  return bytesOf(found) > MAX_OFFLINE_MAP_BYTES
    ? null
    : found.sort((one, other) => one.offset - other.offset);
}

const bytesOf = (tiles: readonly LocatedTile[]) =>
  tiles.reduce((sum, { length }) => sum + length, 0);

/** Bytes that saving the areas takes; null if above the quota. @throws when offline */
export async function measureAreas(archive: Directory, areas: readonly Area[]) {
  const tiles = await locateTiles(archive, areas);
  return tiles && bytesOf(tiles);
}

/** Groups adjacent tiles of the file into requests. */
export function inRequests(tiles: readonly LocatedTile[]): LocatedTile[][] {
  const requests: LocatedTile[][] = [];
  for (const tile of tiles) {
    const last = requests.at(-1);
    const first = last?.[0];
    const end = Math.max(...(last ?? []).map(({ offset, length }) => offset + length));
    const fits =
      first &&
      tile.offset - end <= MAX_GAP_BYTES &&
      tile.offset + tile.length - first.offset <= MAX_REQUEST_BYTES;
    if (fits) last.push(tile);
    else requests.push([tile]);
  }
  return requests;
}

/** Reads bytes of the file. Retries if the host limits the rate or the connection fails. */
async function readBytes(
  archive: MapArchive,
  bytes: TileBytes,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await archive.bytes(bytes, signal);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || signal.aborted || error instanceof EtagMismatch) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/**
 * Saves the tiles of the areas and deletes all others.
 * @param onProgress receives 0 to 1
 * @returns bytes; null if above the quota
 * @throws on network or disk errors and when `signal` aborts; tiles saved until then are kept
 */
export async function saveAreas(
  archive: MapArchive,
  areas: readonly Area[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<number | null> {
  const tiles = await locateTiles(archive, areas);
  if (!tiles) return null;
  const store = offlineMapTiles();
  const all = bytesOf(tiles);
  let done = 0;
  for (const request of inRequests(tiles)) {
    const offset = request[0]?.offset ?? 0;
    const end = Math.max(...request.map((tile) => tile.offset + tile.length));
    const bytes = await readBytes(archive, { offset, length: end - offset }, signal);
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
    onProgress(all > 0 ? done / all : 1);
  }
  const theirs = new Set(tiles.map(({ place }) => keyOf(place)));
  await store.delete(...(await store.keys()).filter((key) => !theirs.has(key)));
  return all;
}
