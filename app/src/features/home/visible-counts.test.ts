// What the map says of the parks on it: single ones and clusters count alike.
import { expect, it } from 'vitest';
import { visibleCounts } from '#/features/home/visible-counts.ts';
import type { MapItem } from '#/map/cluster-protocol.ts';

const location = { lat: 32, long: 34.8 };

it('counts the parks of a cluster one by one, and the dogs of all', () => {
  const items: MapItem[] = [
    { kind: 'park', id: 1, location, name: 'One', dogs: 4 },
    { kind: 'park', id: 2, location, name: 'Two', dogs: 0 },
    { kind: 'cluster', id: 3, location, count: 12, dogs: 5, busy: 0.2 },
  ];
  expect(visibleCounts(items)).toEqual({ parks: 14, dogs: 9 });
  expect(visibleCounts([])).toEqual({ parks: 0, dogs: 0 });
});
