// What is kept of the site's own map on this device: which surroundings, how much, of which file, and whether a logout deletes it.
import { keptTiles } from '#/offline/kept-tiles.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export interface Area {
  west: number;
  south: number;
  east: number;
  north: number;
}

export interface KeptMap {
  /** Of the map's file; another one than the site's means that it has to be renewed. */
  version: string;
  areas: Area[];
  /** As it lies on the device. */
  bytes: number;
  /** Milliseconds since the epoch. */
  keptAt: number;
  leavesWithLogout: boolean;
}

/** Null where nothing is kept. */
export function readKeptMap(): KeptMap | null {
  try {
    return JSON.parse(readLocal('keptMap') ?? 'null') as KeptMap | null;
  } catch {
    return null;
  }
}

export const writeKeptMap = (kept: KeptMap): void => writeLocal('keptMap', JSON.stringify(kept));

/** Deletes all of it. @throws where the device cannot: it is kept then, and known to be */
export async function deleteKeptMap(): Promise<void> {
  // The entry last: a reader that finds no entry may leave the page, so all else must be deleted by then.
  await keptTiles().clear();
  writeLocal('keptMap', null);
}
