// What the map shows where its pictures cannot be had: how far things are, and nothing that is not known.
import type { Map as LeafletMap } from 'leaflet';
import { formatDistance, METRES_OF_DEGREE, roundLength, type LatLong } from '#/core/distance.ts';
import { addSvgOverlay, draw, type Project } from '#/map/svg-overlay.ts';
import styles from './plain-ground.module.css';

export interface PlainGround {
  /** Where the person is: the circles are around it. */
  setHere(place: LatLong | null): void;
  /** Writes the distances again, in the page's language. */
  followLanguage(): void;
  remove(): void;
}

/** Pixels between two circles, and of the scale, at least. */
const STEP = 70;
const CIRCLES = 4;

/** @param locale gives that of the page, for the numbers */
export function addPlainGround(map: LeafletMap, locale: () => string): PlainGround {
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
      const ring = draw(svg, 'circle', styles.ring);
      const sizes = { cx: middle.x, cy: middle.y, r: middle.distanceTo(edge) };
      for (const [name, value] of Object.entries(sizes)) ring.setAttribute(name, String(value));
      const words = draw(svg, 'text', styles.distance);
      words.textContent = formatDistance(metres, locale());
      words.setAttribute('x', String(middle.x));
      words.setAttribute('y', String(edge.y - 4));
    }
  }

  const overlay = addSvgOverlay(map, paint);
  map.on('moveend', measure);
  return {
    followLanguage: () => overlay.redraw(),
    setHere(place) {
      here = place;
      overlay.redraw();
    },
    remove() {
      map.off('moveend', measure);
      scale.remove();
      overlay.remove();
    },
  };
}
