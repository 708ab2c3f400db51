// Reports whether map tiles are available: true with the first loaded tile, false once all visible tiles have failed.
import type { GridLayer } from 'leaflet';

/** Calls back with the first result and with every change. @param layer may be added to its map later */
export function followPictures(layer: GridLayer, told: (available: boolean) => void): void {
  let last: boolean | null = null;
  const tell = (available: boolean): void => {
    if (available === last) return;
    last = available;
    told(available);
  };
  layer.on('tileload', () => tell(true));
  // Leaflet counts failed tiles as loaded, but does not give them the class.
  layer.on('load', () =>
    tell(Boolean(layer.getContainer()?.querySelector('.leaflet-tile-loaded'))),
  );
}
