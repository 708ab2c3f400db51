// The outlines of parks on the map, as their source drew them: a dog park's is its fence. Loaded only where they are shown.
import type { Map as LeafletMap } from 'leaflet';
import type { LatLong } from '#/core/distance.ts';
import { type Ring, ringsOf } from '#/core/outline.ts';
import { fetchOutlines, knownOutline } from '#/entities/parks/park-outlines.ts';
import { addSvgOverlay, draw, pathOf } from '#/map/svg-overlay.ts';
import styles from './outlines.module.css';

/** Where fewer are on the map, each is large enough to be seen. */
const MAX_PARKS = 60;

const placeOf = ([long, lat]: Ring[number]): LatLong => ({ lat, long });

export function addOutlines(map: LeafletMap) {
  let shown: readonly number[] = [];
  const overlay = addSvgOverlay(map, (svg, project) => {
    for (const outline of shown.map(knownOutline)) {
      if (!outline) continue;
      const data = ringsOf(outline).map((ring) => `${pathOf(ring.map(placeOf), project)}Z`);
      draw(svg, 'path', styles.outline, { d: data.join('') });
    }
  });
  return {
    /** Draws the outlines of these parks, of those that have one. */
    show(parkIds: readonly number[]): void {
      shown = parkIds.length > MAX_PARKS ? [] : parkIds;
      overlay.redraw();
      fetchOutlines(shown).then(overlay.redraw, (error: unknown) =>
        console.warn('No outlines of parks:', error),
      );
    },
    remove: overlay.remove,
  };
}
