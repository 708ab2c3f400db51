// Park outlines from the parks' data source; a dog park's outline is its fence. Loaded only when shown.
import type { Map as LeafletMap } from 'leaflet';
import type { LatLong } from '#/core/distance.ts';
import { type Ring, ringsOf } from '#/core/outline.ts';
import { fetchOutlines, knownOutline } from '#/entities/parks/park-outlines.ts';
import { addSvgOverlay, draw, pathOf } from '#/map/svg-overlay.ts';
import styles from './outlines.module.css';

/** With more parks in view, no outlines are shown, because each park is too small. */
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
    /** Draws the outlines of those parks that have one. */
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
