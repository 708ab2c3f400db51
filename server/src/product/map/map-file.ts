// The site's map file (MAP_FILE, or that of the demo): its current version and its bytes.
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

/** Timeout for checking the file. Every page contains the map's version, so a slow bucket must not delay the pages. */
const CHECK_TIMEOUT_MS = 2000;

/** A map of an invented town around the demo's parks. */
const DEMO_MAP = path.join(ROOT, 'supabase/seed/map.pmtiles');
/** Milliseconds for which the result of hasOnlyDemoParks is cached. */
const DEMO_MS = 60_000;

/** The current state of a valid map file. */
export interface ServedMap extends FileState {
  /** See `ArchiveReport`. */
  version: string;
  maxZoom: number;
}

export interface MapFile {
  /** True if the map shows the demo's invented town. */
  isInvented: boolean;
  /** Returns the current map; null if there is none. Never throws, because the site also works without a map. */
  current(): Promise<ServedMap | null>;
  /**
   * Reads a range of a map that `current` returned; null if the file has been replaced since.
   * @throws StoreUnavailableError
   */
  read(map: ServedMap, range: ByteRange): Promise<Uint8Array<ArrayBuffer> | null>;
}

/**
 * Returns null if the file does not exist.
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

/** Returns true if all parks of the site are those of the demo, so that a map of the real world would be wrong. */
async function hasOnlyDemoParks(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ only: boolean | null }>(
    "select bool_and(source = 'demo') as only from public.parks where source is not null",
  );
  return rows[0]?.only ?? false;
}

/** Returns null if the site has no map file and so uses raster tiles. */
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
  let checked: ReturnType<typeof check> | null = null;
  return {
    ...file,
    isInvented: true,
    async current() {
      // The check is repeated, because parks may be imported while the host runs.
      if (!checked || checked.until < performance.now()) checked = check();
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
      // While the bucket is unreachable, the last known map stays current, because clients use it.
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
      // A local file is always checked first, because this is fast and a replaced file must not be read. For a bucket, only the
      // first check is awaited.
      const isNeeded = file.stateHolds === 0 || checkedAt === -Infinity;
      if (isNeeded) await Promise.race([now, delay(CHECK_TIMEOUT_MS, null, { ref: false })]);
      return map;
    },
    async read(served, range) {
      const bytes = await file.read(served.stamp, range);
      // The file was replaced, so the next call examines the new one.
      if (!bytes) checkedAt = -Infinity;
      return bytes;
    },
  };
}
