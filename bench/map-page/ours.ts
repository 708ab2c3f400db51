// Our map as on the home screen: the worker fetches the list, and the page draws the markers.
import type { BenchMap, View } from './page.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { createParkMap } from '#/map/park-map.ts';

export function createMap(element: HTMLElement, { lat, long, zoom }: View): BenchMap {
  let onDrawn: () => void = () => {};
  const map = createParkMap(element, {
    camera: { center: { lat, long }, zoom },
    own: null,
    tileUrl: '/no-tiles/{z}/{x}/{y}.png',
    tiles: 'uncached',
    labels: {
      withDogs: true,
      park: ({ name }) => name,
      cluster: ({ count }) => `${count} parks`,
      number: (value) => String(value),
    },
    onPark() {},
    onPlace() {},
    onMove() {},
    onItems: () => onDrawn(),
    onTilesAvailable() {},
    locale: () => 'en-IL',
  });
  const drawn = () =>
    new Promise<void>((resolve) => {
      onDrawn = resolve;
    });
  return {
    load() {
      clusterClient().load(false, { supabaseUrl: location.origin, language: 'en', keep: false });
      return drawn();
    },
    zoomTo(zoom) {
      map.look({ center: { lat, long }, zoom }, false);
      return drawn();
    },
  };
}
