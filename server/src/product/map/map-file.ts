// The site's map file (MAP_FILE, or the demo's): its current version and its bytes.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { ByteRange } from '#/host/lib/byte-range.ts';
import type { Log } from '#/host/lib/log.ts';
import { ROOT } from '#/host/lib/paths.ts';
import type { FileState, RangeFile } from '#/host/storage/range-file.ts';
import { openRangeFile } from '#/host/storage/open-stores.ts';
import { examineArchive, type ArchiveReport } from '#/product/map/archive.ts';
import type { Settings } from '#/product/settings.ts';

/** Timeout of the check. Every page contains the current map, so a slow bucket must not delay it. */
const CHECK_TIMEOUT_MS = 2000;

/** An invented town around the demo's parks. */
const DEMO_MAP = path.join(ROOT, 'supabase/seed/map.pmtiles');
/** Cache lifetime, in milliseconds, of the check that all parks belong to the demo. */
const DEMO_MS = 60_000;

/** The current state of a valid map file. */
export interface ServedMap extends FileState {
  /** See `ArchiveReport`. */
  version: string;
  maxZoom: number;
}

export interface MapFile {
  /** True if it shows the demo's invented town. */
  isInvented: boolean;
  /** The current map, or null. Never throws, because the site also works without a map. */
  current(): Promise<ServedMap | null>;
  /**
   * Bytes of a map returned by `current`; null if the file has been replaced since.
   * @throws StoreUnavailableError
   */
  read(map: ServedMap, range: ByteRange): Promise<Uint8Array<ArrayBuffer> | null>;
}

/**
 * Examines a map file; null if it does not exist.
 * @throws StoreUnavailableError
 */
export async function examineMapFile(
  file: RangeFile,
): Promise<{ state: FileState; report: ArchiveReport } | null> {
  const state = await file.state();
  if (!state) return null;
  const report = await examineArchive(state.size, async (range) => {
    const bytes = await file.read(state.stamp, range);
    if (!bytes) throw new Error('the file changes while it is read');
    return bytes;
  });
  return { state, report };
}

/** True if all parks of the site are invented, so that a map of the real world would be wrong. */
async function hasOnlyDemoParks(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ only: boolean | null }>(
    "select bool_and(source = 'demo') as only from public.parks where source is not null",
  );
  return rows[0]?.only ?? false;
}

/** Null if the site has no map file: it shows raster tiles. */
export async function createMapFile(
  settings: Settings,
  pool: pg.Pool,
  log: Log,
): Promise<MapFile | null> {
  if (settings.MAP_FILE !== undefined) return openMapFile(settings, settings.MAP_FILE, log);
  if (settings.TILE_URL !== undefined || !existsSync(DEMO_MAP)) return null;
  const file = await openMapFile(settings, DEMO_MAP, log);
  const check = () => ({
    isDemo: hasOnlyDemoParks(pool).catch(() => false),
    until: performance.now() + DEMO_MS,
  });
  let checked = check();
  return {
    ...file,
    isInvented: true,
    async current() {
      // Parks may be imported while the host runs.
      if (checked.until < performance.now()) checked = check();
      return (await checked.isDemo) ? file.current() : null;
    },
  };
}

async function openMapFile(settings: Settings, name: string, log: Log): Promise<MapFile> {
  const file = await openRangeFile(settings, name);
  let map: ServedMap | null = null;
  let stamp: string | null = null;
  let checkedAt = -Infinity;
  let checking: Promise<void> | null = null;

  function useTiles(problem: string): void {
    map = null;
    log.warn({ file: name, problem }, 'MAP_FILE cannot be served: the map shows raster tiles');
  }

  async function check(): Promise<void> {
    try {
      const state = await file.state();
      if (state?.stamp === stamp && state !== null) return;
      const examined = await examineMapFile(file);
      const before = stamp;
      stamp = examined?.state.stamp ?? '';
      if (!examined) {
        if (before !== stamp) useTiles('the file does not exist');
        return;
      }
      const { report } = examined;
      const [problem] = report.problems;
      if (problem !== undefined || report.version === null)
        useTiles(problem ?? 'it has no version');
      else map = { ...examined.state, version: report.version, maxZoom: report.maxZoom };
    } catch (error) {
      // While the bucket is unreachable, the last known map is kept, because clients use it.
      log.warn({ file: name, error: (error as Error).message }, 'MAP_FILE cannot be read now');
    } finally {
      checkedAt = performance.now();
      checking = null;
    }
  }

  return {
    isInvented: false,
    async current() {
      if (performance.now() - checkedAt <= file.stateHolds) return map;
      const now = (checking ??= check());
      // Every check of a local file is awaited, because it is fast and a replaced file must not be read. For a bucket, only the
      // first check is awaited.
      const isNeeded = file.stateHolds === 0 || checkedAt === -Infinity;
      if (isNeeded) await Promise.race([now, delay(CHECK_TIMEOUT_MS, null, { ref: false })]);
      return map;
    },
    async read(served, range) {
      const bytes = await file.read(served.stamp, range);
      // The file was replaced: the next call examines the new one.
      if (!bytes) checkedAt = -Infinity;
      return bytes;
    },
  };
}
