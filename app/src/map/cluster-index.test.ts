// Clusters by zoom level, their dog counts from live rows, and the zoom after a tap.
import { expect, it } from 'vitest';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';
import { distanceBetween } from '#/core/distance.ts';
import { createClusterIndex } from '#/map/cluster-index.ts';
import { LAST_CLUSTER_ZOOM } from '#/map/cluster-levels.ts';
import type { MapCluster, View } from '#/map/cluster-protocol.ts';

const park = (id: number, lat: number, long: number): ParkListItem => ({
  id,
  name: `Park ${id}`,
  city: 'Tel Aviv',
  address: '',
  location: { lat, long },
  rank: null,
});

// Three parks within 50 m of each other, and one 3 km away.
const parks = [
  park(1, 32.1, 34.8),
  park(2, 32.1002, 34.8002),
  park(3, 32.1003, 34.8),
  park(4, 32.127, 34.8),
];
const view = (zoom: number): View => ({ west: 34.5, south: 32, east: 35, north: 32.3, zoom });

const clusters = (items: ReturnType<ReturnType<typeof createClusterIndex>['query']>) =>
  items.filter((item): item is MapCluster => item.type === 'cluster');

it('createClusterIndex: clusters parks close to each other and draws distant ones separately', () => {
  const items = createClusterIndex(parks).query(view(14));
  expect(clusters(items)).toMatchObject([{ count: 3, dogs: 0 }]);
  expect(items.filter(({ type }) => type === 'park')).toMatchObject([
    { id: 4, name: 'Park 4', dogs: 0, location: { lat: 32.127, long: 34.8 } },
  ]);
});

it('createClusterIndex: draws every park separately above the last cluster zoom', () => {
  const items = createClusterIndex(parks).query(view(LAST_CLUSTER_ZOOM + 1));
  const names = items.map(({ type, id }) => `${type} ${id}`).sort();
  expect(names).toEqual(['park 1', 'park 2', 'park 3', 'park 4']);
});

it('createClusterIndex: spreads out parks with the same coordinates', () => {
  const [park] = parks;
  const same = [1, 2, 3].flatMap((id) => (park ? [{ ...park, id }] : []));
  const items = createClusterIndex(same).query(view(LAST_CLUSTER_ZOOM + 1));
  const distances = items.flatMap((one, index) =>
    items.slice(index + 1).map((other) => distanceBetween(one.location, other.location)),
  );
  expect(distances).toHaveLength(3);
  for (const distance of distances) expect(distance).toBeGreaterThan(20);
  for (const { location } of items)
    expect(distanceBetween(location, park?.location ?? location)).toBeLessThan(16);
});

it('createClusterIndex: returns only items inside the view', () => {
  const { query } = createClusterIndex(parks);
  expect(query({ ...view(14), south: 32.12 })).toMatchObject([{ type: 'park', id: 4 }]);
});

it('createClusterIndex: sums the dogs of all parks of a cluster', () => {
  const index = createClusterIndex(parks);
  index.setLive([
    { id: 1, dogs: 8 },
    { id: 3, dogs: 1 },
    { id: 4, dogs: 4 },
  ]);
  const [cluster] = clusters(index.query(view(14)));
  expect(cluster?.dogs).toBe(9);
  expect(index.query(view(14)).find(({ type }) => type === 'park')?.dogs).toBe(4);
});

it('createClusterIndex: reports whether live rows changed anything, and clears parks that no longer have a row', () => {
  const index = createClusterIndex(parks);
  expect(index.setLive([])).toBe(false);
  expect(index.setLive([{ id: 4, dogs: 2 }])).toBe(true);
  expect(index.setLive([{ id: 4, dogs: 2 }])).toBe(false);
  expect(index.setLive([{ id: 4, dogs: 3 }])).toBe(true);
  expect(index.setLive([])).toBe(true);
  expect(index.query(view(14)).find(({ id }) => id === 4)?.dogs).toBe(0);
});

it('createClusterIndex: lists parks by distance, and finds one by its ID', () => {
  const index = createClusterIndex(parks);
  index.setLive([{ id: 4, dogs: 2 }]);
  const near = index.nearest({ lat: 32.128, long: 34.8 }, 3, false);
  expect(near.map(({ id, dogs }) => [id, dogs])).toEqual([
    [4, 2],
    [3, 0],
    [2, 0],
  ]);
  expect(index.find(2)).toMatchObject({ id: 2, name: 'Park 2' });
  expect(index.find(99)).toBeNull();
});

it('createClusterIndex: draws only filtered parks, but still finds the others', () => {
  const index = createClusterIndex(parks);
  expect(index.setOnly(null)).toBe(false);
  expect(index.setOnly([2, 4])).toBe(true);
  index.setLive([{ id: 4, dogs: 2 }]);
  const drawn = index.query(view(18)).map(({ id }) => id);
  expect(drawn.sort()).toEqual([2, 4]);
  const at = { lat: 32.128, long: 34.8 };
  expect(index.nearest(at, 3, true).map(({ id }) => id)).toEqual([4, 2]);
  expect(index.nearest(at, 3, false).map(({ id }) => id)).toEqual([4, 3, 2]);
  expect(index.find(3)?.id).toBe(3);
  expect(index.setOnly(null)).toBe(true);
  expect(index.query(view(18))).toHaveLength(parks.length);
});

it('createClusterIndex: finds cities by prefix and locates each at one of its parks', () => {
  const index = createClusterIndex([...parks, { ...park(5, 32.8, 35), city: 'Telmond' }]);
  expect(index.cities('tel')).toEqual([
    { name: 'Tel Aviv', location: { lat: 32.1003, long: 34.8 } },
    { name: 'Telmond', location: { lat: 32.8, long: 35 } },
  ]);
  expect(index.cities('aviv')).toEqual([]);
});

it('createClusterIndex: splits each cluster at its split zoom, and not before', () => {
  const index = createClusterIndex(parks);
  const [all] = clusters(index.query(view(4)));
  const before = index.query(view((all?.splitZoom ?? 0) - 1));
  expect(before).toEqual([all]);
  const after = index.query(view(all?.splitZoom ?? 0));
  expect(after).toHaveLength(2);
  expect(clusters(after)).toMatchObject([{ count: 3 }]);
});

it('createClusterIndex: clusters all parks within the radius of the first one, and no others', () => {
  // A pixel at zoom 16 is 2.39 m wide at the equator, so the radius of 80 pixels is 191 m or 0.00172 degrees.
  const near = [park(1, 0, 0), park(2, 0, 0.0016), park(3, 0, -0.0016), park(4, 0.0018, 0)];
  const around = { west: -1, south: -1, east: 1, north: 1, zoom: 16 };
  const items = createClusterIndex(near).query(around);
  const [cluster] = clusters(items);
  expect(cluster?.count).toBe(3);
  expect(cluster?.location.long).toBeCloseTo(0, 6);
  expect(items.filter(({ type }) => type === 'park').map(({ id }) => id)).toEqual([4]);
});
