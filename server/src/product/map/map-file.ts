// The operator's map file (MAP_FILE): its current version and its bytes.
import { setTimeout as delay } from 'node:timers/promises';
import type { ByteRange } from '#/host/lib/byte-range.ts';
import type { Log } from '#/host/lib/log.ts';
import type { FileState, RangeFile } from '#/host/storage/range-file.ts';
import { openRangeFile } from '#/host/storage/open-stores.ts';
import { examineArchive, type ArchiveReport } from '#/product/map/archive.ts';
import type { Settings } from '#/product/settings.ts';

/** Every page needs to know the current map, so a slow bucket must not delay it. */
const LOOK_TIMEOUT_MS = 2000;

/** The current state of a good map file. */
export interface ServedMap extends FileState {
  /** See `ArchiveReport`. */
  version: string;
  maxZoom: number;
}

export interface MapFile {
  /** The current map, or null. Never throws, because the site also works without a map. */
  current(): Promise<ServedMap | null>;
  /**
   * Bytes of a map returned by `current`; null if the file has been replaced since.
   * @throws StoreUnavailableError
   */
  read(map: ServedMap, range: ByteRange): Promise<Uint8Array<ArrayBuffer> | null>;
}

/**
 * Examines a map file; null if there is no file.
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

export async function createMapFile(settings: Settings, log: Log): Promise<MapFile | null> {
  const name = settings.MAP_FILE;
  if (name === undefined) return null;
  const file = await openRangeFile(settings, name);
  let map: ServedMap | null = null;
  let stamp: string | null = null;
  let lookedAt = -Infinity;
  let looking: Promise<void> | null = null;

  function refuse(problem: string): void {
    map = null;
    log.warn({ file: name, problem }, 'MAP_FILE cannot be served: the map shows raster tiles');
  }

  async function look(): Promise<void> {
    try {
      const state = await file.state();
      if (state?.stamp === stamp && state !== null) return;
      const examined = await examineMapFile(file);
      const before = stamp;
      stamp = examined?.state.stamp ?? '';
      if (!examined) {
        if (before !== stamp) refuse('there is no such file');
        return;
      }
      const { report } = examined;
      const [problem] = report.problems;
      if (problem !== undefined || report.version === null) refuse(problem ?? 'it has no version');
      else map = { ...examined.state, version: report.version, maxZoom: report.maxZoom };
    } catch (error) {
      // While the bucket is unreachable, keep the last known map, because clients have it.
      log.warn({ file: name, error: (error as Error).message }, 'MAP_FILE cannot be looked at now');
    } finally {
      lookedAt = performance.now();
      looking = null;
    }
  }

  return {
    async current() {
      if (performance.now() - lookedAt <= file.stateHolds) return map;
      const now = (looking ??= look());
      // Checking a local file is fast, and a replaced file must not be read.
      const isNeeded = file.stateHolds === 0 || lookedAt === -Infinity;
      if (isNeeded) await Promise.race([now, delay(LOOK_TIMEOUT_MS, null, { ref: false })]);
      return map;
    },
    async read(served, range) {
      const bytes = await file.read(served.stamp, range);
      // The file was replaced: the next call examines the new one.
      if (!bytes) lookedAt = -Infinity;
      return bytes;
    },
  };
}
