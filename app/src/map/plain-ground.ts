// What the map shows where its pictures cannot be had: how far things are, and nothing that is not known.
import type { Map as LeafletMap } from 'leaflet';
import { formatDistance, METRES_OF_DEGREE, roundLength, type LatLong } from '#/core/distance.ts';
import { addSvgOverlay, draw, type Project } from '#/map/svg-overlay.ts';
import styles from './plain-ground.module.css';

/** Pixels between two circles, and of the scale, at least. */
const STEP = 70;
const CIRCLES = 4;

/** @param locale gives that of the page, for the numbers */
export function addPlainGround(map: LeafletMap, locale: () => string) {
  let here: LatLong | null = null;
  const scale = document.createElement('div');
  scale.className = styles.scale ?? '';
  map.getContainer().append(scale);

  /** Pixels of a metre in the middle of the map. */
  function pixelsPerMetre(): number {
    const { lat, lng } = map.getCenter();
    const north = map.latLngToLayerPoint([lat + 1000 / METRES_OF_DEGREE, lng]);
    return map.latLngToLayerPoint([lat, lng]).distanceTo(north) / 1000;
  }

  function measure(): number {
    const pixels = pixelsPerMetre();
    const metres = roundLength(STEP / pixels);
    scale.textContent = formatDistance(metres, locale());
    scale.style.inlineSize = `${String(Math.round(metres * pixels))}px`;
    return metres;
  }

  function paint(svg: SVGSVGElement, project: Project): void {
    const step = measure();
    if (!here) return;
    const middle = project(here);
    for (let circle = 1; circle <= CIRCLES; circle++) {
      const metres = circle * step;
      const edge = project({ ...here, lat: here.lat + metres / METRES_OF_DEGREE });
      const { x, y } = middle;
      draw(svg, 'circle', styles.ring, { cx: x, cy: y, r: middle.distanceTo(edge) });
      const words = draw(svg, 'text', styles.distance, { x, y: edge.y - 4 });
      words.textContent = formatDistance(metres, locale());
    }
  }

  const overlay = addSvgOverlay(map, paint);
  map.on('moveend', measure);
  return {
    /** Writes the distances again, in the page's language. */
    followLanguage: () => overlay.redraw(),
    /** Where the person is: the circles are around it. */
    setHere(place: LatLong | null): void {
      here = place;
      overlay.redraw();
    },
    remove(): void {
      map.off('moveend', measure);
      scale.remove();
      overlay.remove();
    },
  };
}
