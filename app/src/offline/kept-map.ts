// The offline map: which areas are saved, their size, the version of the map file, and whether logging out deletes them.
import { keptTiles } from '#/offline/kept-tiles.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export interface Area {
  west: number;
  south: number;
  east: number;
  north: number;
}

export interface KeptMap {
  /** Version of the map file; if the site has another version, the map must be downloaded again. */
  version: string;
  areas: Area[];
  /** Size on this device. */
  bytes: number;
  /** Milliseconds since the epoch. */
  keptAt: number;
  leavesWithLogout: boolean;
}

/** Null if no map is saved. */
export function readKeptMap(): KeptMap | null {
  try {
    return JSON.parse(readLocal('keptMap') ?? 'null') as KeptMap | null;
  } catch {
    return null;
  }
}

export const writeKeptMap = (kept: KeptMap): void => writeLocal('keptMap', JSON.stringify(kept));

/** @throws if the device cannot delete the tiles; the map then stays saved and listed */
export async function deleteKeptMap(): Promise<void> {
  // The entry is deleted last: without an entry the page may be left, so the tiles must be gone by then.
  await keptTiles().clear();
  writeLocal('keptMap', null);
}
