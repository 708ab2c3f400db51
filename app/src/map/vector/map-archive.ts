// Reads tiles of the site's map file: from the device if saved or cached, otherwise with range requests.
import { EtagMismatch, FetchSource, findTile, PMTiles, zxyToTileId, type Header } from 'pmtiles';
import type { TilePlace } from '#/map/vector/renderer-protocol.ts';
import { indexedDbTiles } from '#/offline/tile-cache/indexeddb-tiles.ts';
import { offlineMapTiles, type OfflineMapTile } from '#/map/vector/offline-map-tiles.ts';
import { TILE_FRESH_MS } from '#/offline/cache-limits.ts';
import { cachedTile, type TileStore } from '#/offline/tile-cache/tile-cache.ts';

export interface TileBytes {
  offset: number;
  length: number;
}

class NoTile extends Error {}

/** Maximum depth of an archive's directories. */
const MAX_DIRECTORIES = 4;
const TYPE = 'application/vnd.mapbox-vector-tile';

export const keyOf = ({ z, x, y }: TilePlace): string => `${z}/${x}/${y}`;

async function unzip(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first !== 0x1f || second !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

export class MapArchive {
  readonly version: string;
  readonly #url: string;
  readonly #source: FetchSource;
  readonly #archive: PMTiles;
  readonly #saved = offlineMapTiles();
  readonly #seen = indexedDbTiles();

  /** @param url contains the version, so cached responses stay valid */
  constructor(url: string, version: string) {
    this.version = version;
    this.#url = url;
    this.#source = new FetchSource(url);
    this.#archive = new PMTiles(this.#source);
  }

  /**
   * Data of a tile in the library's format; undefined if the file has none. @throws if it is not stored and the device is offline
   */
  async getZxy(z: number, x: number, y: number): Promise<{ data: ArrayBuffer } | undefined> {
    const place = { z, x, y };
    try {
      const tile = await cachedTile(`${this.#url}#${keyOf(place)}`, {
        store: this.#store(place),
        fetchTile: () => this.#fetch(place),
        now: Date.now(),
      });
      return { data: await unzip(await tile.arrayBuffer()) };
    } catch (error) {
      if (error instanceof NoTile) return undefined;
      throw error;
    }
  }

  header = (): Promise<Header> => this.#archive.getHeader();

  /** Byte range of a tile; null if the file has none. @throws when offline */
  async locate({ z, x, y }: TilePlace): Promise<TileBytes | null> {
    const header = await this.header();
    if (z < header.minZoom || z > header.maxZoom) return null;
    const id = zxyToTileId(z, x, y);
    let [offset, length] = [header.rootDirectoryOffset, header.rootDirectoryLength];
    for (let step = 0; step < MAX_DIRECTORIES; step++) {
      const directory = await this.#archive.cache.getDirectory(
        this.#source,
        offset,
        length,
        header,
      );
      const entry = findTile(directory, id);
      if (!entry) return null;
      if (entry.runLength > 0)
        return { offset: header.tileDataOffset + entry.offset, length: entry.length };
      offset = header.leafDirectoryOffset + entry.offset;
      length = entry.length;
    }
    return null;
  }

  /** @throws EtagMismatch if the file was replaced; other errors when offline */
  async bytes({ offset, length }: TileBytes, signal?: AbortSignal): Promise<ArrayBuffer> {
    const { etag } = await this.header();
    return (await this.#source.getBytes(offset, length, signal, etag)).data;
  }

  /** Drops cached directories after the file was replaced. */
  clearDirectories = (): Promise<void> => this.#archive.cache.invalidate(this.#source);

  async #fetch(place: TilePlace): Promise<Blob> {
    const read = async () => {
      const found = await this.locate(place);
      if (!found) throw new NoTile();
      return new Blob([await this.bytes(found)], { type: TYPE });
    };
    return read().catch(async (error: unknown) => {
      if (!(error instanceof EtagMismatch)) throw error;
      await this.clearDirectories();
      return read();
    });
  }

  /** The cache for a tile. The offline map comes first; its tiles from another version of the file count as stale. */
  #store(place: TilePlace): TileStore {
    const ofAge = (tile: OfflineMapTile) => ({
      ...tile,
      at: Date.now() - (tile.version === this.version ? 0 : TILE_FRESH_MS + 1),
    });
    return {
      get: async (url) => {
        const saved = await this.#saved.get(keyOf(place));
        return saved ? ofAge(saved) : this.#seen.get(url);
      },
      put: this.#seen.put,
    };
  }
}
