// The offline map: which areas are saved, their size, the version of the map file, and whether logging out deletes them.
import { offlineMapTiles } from '#/map/vector/offline-map-tiles.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export interface Area {
  west: number;
  south: number;
  east: number;
  north: number;
}

export interface OfflineMap {
  /** Version of the map file; if the site has another version, the map must be downloaded again. */
  version: string;
  areas: Area[];
  /** Size on this device. */
  bytes: number;
  /** Milliseconds since the epoch. */
  savedAt: number;
  leavesWithLogout: boolean;
}

/** Returns null if no map is saved. */
export function readOfflineMap(): OfflineMap | null {
  try {
    return JSON.parse(readLocal('offlineMap') ?? 'null') as OfflineMap | null;
  } catch {
    return null;
  }
}

export const writeOfflineMap = (map: OfflineMap): void =>
  writeLocal('offlineMap', JSON.stringify(map));

/** @throws if the device cannot delete the tiles; the map then stays saved and listed */
export async function deleteOfflineMap(): Promise<void> {
  // Delete the entry last: if the page is closed in between, the map is still listed and can be deleted again.
  await offlineMapTiles().clear();
  writeLocal('offlineMap', null);
}
