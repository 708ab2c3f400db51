// Reports whether map tiles are available: true with the first loaded tile, false once all visible tiles have failed.
import type { GridLayer } from 'leaflet';

/** Calls back with the first result and with every change. @param layer may be added to its map later */
export function followTileAvailability(
  layer: GridLayer,
  callback: (available: boolean) => void,
): void {
  let last: boolean | null = null;
  const report = (available: boolean): void => {
    if (available === last) return;
    last = available;
    callback(available);
  };
  layer.on('tileload', () => report(true));
  // Leaflet's `load` event counts failed tiles as loaded, so look for the class that only loaded tiles have.
  layer.on('load', () =>
    report(Boolean(layer.getContainer()?.querySelector('.leaflet-tile-loaded'))),
  );
}
