// Whether the pictures of the map can be had: as soon as one is there, or once all that it looks for have failed.
import type { GridLayer } from 'leaflet';

/** Calls back when it turns out, and whenever that changes. @param layer of tiles, on a map or about to be */
export function followPictures(layer: GridLayer, told: (available: boolean) => void): void {
  let last: boolean | null = null;
  const tell = (available: boolean): void => {
    if (available === last) return;
    last = available;
    told(available);
  };
  layer.on('tileload', () => tell(true));
  // Tiles that failed count as loaded for the layer, and are never marked.
  layer.on('load', () =>
    tell(Boolean(layer.getContainer()?.querySelector('.leaflet-tile-loaded'))),
  );
}
