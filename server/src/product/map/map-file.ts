// The map that operators put beside the data (MAP_FILE): which one is there now, and its bytes.
import { setTimeout as delay } from 'node:timers/promises';
import type { ByteRange } from '#/host/lib/byte-range.ts';
import type { Log } from '#/host/lib/log.ts';
import type { FileState, RangeFile } from '#/host/storage/range-file.ts';
import { openRangeFile } from '#/host/storage/open-stores.ts';
import { examineArchive, type ArchiveReport } from '#/product/map/archive.ts';
import type { Settings } from '#/product/settings.ts';

/** Every page asks which map there is; it must not wait for a bucket that answers late. */
const LOOK_PATIENCE_MS = 2000;

/** A good map file, as it is now. */
export interface ServedMap extends FileState {
  /** See `ArchiveReport`. */
  version: string;
  maxZoom: number;
}

export interface MapFile {
  /** The map that can be served now; null without one. Never throws: a site without its map is still a site. */
  current(): Promise<ServedMap | null>;
  /** Bytes of a map that `current` gave; null where the file was replaced meanwhile. @throws StoreUnavailableError */
  read(map: ServedMap, range: ByteRange): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** What is wrong with a file, or with none. @throws StoreUnavailableError */
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
      // A bucket that cannot be reached now had the map a moment ago: what phones know of it stays true.
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
      // A file of this disk is looked at in no time, and what was replaced must not be read again.
      const isNeeded = file.stateHolds === 0 || lookedAt === -Infinity;
      if (isNeeded) await Promise.race([now, delay(LOOK_PATIENCE_MS, null, { ref: false })]);
      return map;
    },
    async read(served, range) {
      const bytes = await file.read(served.stamp, range);
      // Replaced: the next question finds the new one at once.
      if (!bytes) lookedAt = -Infinity;
      return bytes;
    },
  };
}
