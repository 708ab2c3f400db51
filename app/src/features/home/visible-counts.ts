// Counts the parks in the visible part of the map, and the dogs that are there now.
import type { MapItem } from '#/map/cluster-protocol.ts';

export interface VisibleCounts {
  parks: number;
  dogs: number;
}

/** @param items what is drawn: single parks and clusters of them */
export function visibleCounts(items: readonly MapItem[]): VisibleCounts {
  const around = { parks: 0, dogs: 0 };
  for (const item of items) {
    around.parks += item.kind === 'park' ? 1 : item.count;
    around.dogs += item.dogs;
  }
  return around;
}
