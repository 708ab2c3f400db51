// The control: Leaflet with leaflet.markercluster on the main thread, with our cluster radius and background.
import 'leaflet/dist/leaflet.css';
import 'leaflet.markercluster/dist/MarkerCluster.css';
import * as leaflet from 'leaflet';
import type { BenchMap, View } from './page.ts';

// The plug-in adds itself to a global variable L.
window.L = { ...leaflet };
// @ts-expect-error The plugin has no types.
await import('leaflet.markercluster');
const L = window.L as typeof leaflet & {
  markerClusterGroup(options: {
    maxClusterRadius: number;
    animate: boolean;
  }): leaflet.LayerGroup & { addLayers(layers: leaflet.Layer[]): void };
};

interface Park {
  name: string;
  location: { lat: number; long: number };
}

export function createMap(element: HTMLElement, { lat, long, zoom }: View): BenchMap {
  const map = L.map(element, {
    center: [lat, long],
    zoom,
    maxZoom: 19,
    zoomAnimation: false,
    fadeAnimation: false,
  });
  return {
    async load() {
      const list: Park[] = await (
        await fetch('/storage/v1/object/public/parks/parks-en.json')
      ).json();
      const group = L.markerClusterGroup({ maxClusterRadius: 80, animate: false });
      group.addLayers(
        list.map(({ name, location }) => L.marker([location.lat, location.long], { title: name })),
      );
      map.addLayer(group);
    },
    async zoomTo(to) {
      map.setZoom(to, { animate: false });
    },
  };
}
