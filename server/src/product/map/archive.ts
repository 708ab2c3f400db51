// Examines the map file (MAP_FILE) and describes its problems for operators.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Compression, PMTiles, TileType, type Header, type Source } from 'pmtiles';
import type { ByteRange } from '#/host/lib/byte-range.ts';

/** Layers of the Protomaps basemap that the app draws, as named in schema 4. */
const LAYERS = ['buildings', 'earth', 'landuse', 'places', 'pois', 'roads', 'water'];
const SCHEMA = '4';
const HEADER_BYTES = 127;
const MAGIC = 'PMTiles';
/** The first bytes, which contain the header and the root directory. */
const HEAD_BYTES = 16_384;
/** Real metadata has a few KB. If the header specifies more than this, it is invalid. */
const MAX_METADATA_BYTES = 2 ** 20;
const MAX_UNPACKED_BYTES = 16 * 2 ** 20;
/** From this zoom level on, the map contains names of footpaths. */
const WANTED_ZOOM = 14;

export interface ArchiveReport {
  /** A hash of the content, equal on every host; null if the file is not a PMTiles archive. */
  version: string | null;
  /** The highest zoom level with tiles; 0 if the file is not a PMTiles archive. */
  maxZoom: number;
  /** Problems because of which the map cannot be drawn; empty for a valid file. */
  problems: string[];
  /** Notes about a valid file. */
  notes: string[];
  /** Summary for operators; empty if there is a problem. */
  summary: string;
  /** The area of the map in degrees; null if there is a problem. */
  bounds: { south: number; west: number; north: number; east: number } | null;
}

const bad = (problem: string, version: string | null = null): ArchiveReport => ({
  version,
  maxZoom: 0,
  problems: [problem],
  notes: [],
  summary: '',
  bounds: null,
});

async function unpack(packed: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None || compression === Compression.Unknown) return packed;
  if (compression !== Compression.Gzip) throw new Error('only gzip is unpacked');
  const { buffer, byteOffset, byteLength } = await promisify(gunzip)(packed, {
    maxOutputLength: MAX_UNPACKED_BYTES,
  });
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const degrees = (...values: number[]): string => values.map((value) => value.toFixed(2)).join(', ');

/** Returns the end of the archive's last section, according to its header. */
const endOf = (header: Header): number =>
  Math.max(
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  );

interface Metadata {
  version?: unknown;
  vector_layers?: { id?: unknown }[];
}

function schemaProblem({ version, vector_layers: layers }: Metadata): string | null {
  const found = (Array.isArray(layers) ? layers : []).map(({ id }) => String(id));
  const missing = LAYERS.filter((name) => !found.includes(name));
  if (missing.length > 0)
    return `it has another schema than Protomaps' basemap: the layers ${missing.join(', ')} are missing (it has ${found.slice(0, 12).join(', ') || 'none'})`;
  const major = String(version ?? '').split('.')[0];
  if (major !== SCHEMA)
    return `it has version ${String(version ?? 'unknown')} of Protomaps' basemap, and the app draws version ${SCHEMA}`;
  return null;
}

/**
 * Examines the first KB of an archive.
 * @param size the size of the file in bytes
 * @param read reads a range of the file; its errors are thrown
 */
export async function examineArchive(
  size: number,
  read: (range: ByteRange) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<ArchiveReport> {
  if (size < HEADER_BYTES) return bad(`it is no PMTiles file (${size} bytes)`);
  const head = await read({ start: 0, end: Math.min(size, HEAD_BYTES) - 1 });
  if (Buffer.from(head.subarray(0, 7)).toString('latin1') !== MAGIC)
    return bad('it is no PMTiles file');
  if (head[7] !== 3) return bad(`it is PMTiles version ${head[7]}, and only version 3 is read`);

  const source: Source = {
    getKey: () => 'map',
    async getBytes(offset, length) {
      const end = Math.min(offset + length, size) - 1;
      if (offset === 0 && end < head.length) return { data: head.slice(0, end + 1).buffer };
      if (offset > end || length > MAX_METADATA_BYTES) throw new Error('outside of the file');
      return { data: (await read({ start: offset, end })).buffer };
    },
  };
  const archive = new PMTiles(source, undefined, unpack);
  let header: Header;
  try {
    header = await archive.getHeader();
  } catch {
    return bad('its directory cannot be read: it is damaged or truncated');
  }
  if (endOf(header) > size)
    return bad(`it is truncated: ${megabytes(size)} of ${megabytes(endOf(header))} are there`);
  if (header.tileType !== TileType.Mvt) return bad('it holds pictures and no vector tiles');
  for (const compression of [header.tileCompression, header.internalCompression])
    if (compression !== Compression.Gzip && compression !== Compression.None)
      return bad(`its tiles are compressed in a way that browsers do not read; gzip is read`);
  let metadata: Metadata;
  try {
    metadata = (await archive.getMetadata()) as Metadata;
  } catch {
    return bad('its metadata cannot be read: it is damaged');
  }

  const version = createHash('sha256')
    .update(`${size} ${JSON.stringify(metadata)}`)
    .update(head.subarray(0, header.rootDirectoryOffset + header.rootDirectoryLength))
    .digest('base64url')
    .slice(0, 22);
  const problem = schemaProblem(metadata);
  if (problem !== null) return bad(problem, version);
  const { minLon, minLat, maxLon, maxLat, maxZoom } = header;
  return {
    version,
    maxZoom,
    problems: [],
    notes:
      maxZoom < WANTED_ZOOM
        ? [`it ends at zoom ${maxZoom}: paths and most names of streets begin at ${WANTED_ZOOM}`]
        : [],
    bounds: { south: minLat, west: minLon, north: maxLat, east: maxLon },
    summary: `${megabytes(size)}, zoom ${header.minZoom} to ${maxZoom}, from ${degrees(minLat, minLon)} to ${degrees(maxLat, maxLon)}`,
  };
}
