// Shows distances when map tiles are unavailable.
import type { Map as LeafletMap } from 'leaflet';
import { formatDistance, METRES_OF_DEGREE, roundLength, type LatLong } from '#/core/distance.ts';
import { addSvgOverlay, draw, type Project } from '#/map/svg-overlay.ts';
import styles from './plain-ground.module.css';

/** Minimum pixels between two circles, and minimum length of the scale. */
const STEP = 70;
const CIRCLES = 4;

/** @param locale returns the page's locale, for formatting numbers */
export function addPlainGround(map: LeafletMap, locale: () => string) {
  let here: LatLong | null = null;
  const scale = document.createElement('div');
  scale.className = styles.scale ?? '';
  map.getContainer().append(scale);

  /** Returns the resolution at the centre of the map. */
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
    /** Renders the distances in the page's new language. */
    followLanguage: () => overlay.redraw(),
    /** Position of the user, the centre of the circles. */
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
