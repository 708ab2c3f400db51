// Lines and areas over the map tiles, in one SVG that moves with the map and is redrawn after a zoom.
import type { Map as LeafletMap, Point } from 'leaflet';
import { setPosition } from 'leaflet/src/dom/DomUtil.js';
import type { LatLong } from '#/core/distance.ts';
import styles from './svg-overlay.module.css';

const SVG = 'http://www.w3.org/2000/svg';

/** Converts coordinates to pixels of the overlay. */
export type Project = (place: LatLong) => Point;

export function draw<Name extends keyof SVGElementTagNameMap>(
  parent: Element,
  name: Name,
  className = '',
  attributes: Readonly<Record<string, string | number>> = {},
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries({ class: className, ...attributes }))
    element.setAttribute(attribute, String(value));
  parent.append(element);
  return element;
}

export const pathOf = (places: readonly LatLong[], project: Project): string =>
  `M${places
    .map(project)
    .map(({ x, y }) => `${String(x)} ${String(y)}`)
    .join('L')}`;

/** @param paint fills the empty SVG */
export function addSvgOverlay(
  map: LeafletMap,
  paint: (svg: SVGSVGElement, project: Project) => void,
) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', styles.overlay ?? '');
  svg.setAttribute('aria-hidden', 'true');
  map.getPane('overlayPane')?.append(svg);

  function redraw(): void {
    const pointOf = ({ lat, long }: LatLong) => map.latLngToLayerPoint([lat, long]);
    // The SVG's origin is near the map's centre, so coordinates stay small after long drags.
    const origin = map.latLngToLayerPoint(map.getCenter());
    setPosition(svg as unknown as HTMLElement, origin);
    svg.replaceChildren();
    paint(svg, (place) => pointOf(place).subtract(origin));
  }
  const hide = (): void => svg.setAttribute('visibility', 'hidden');
  const show = (): void => {
    redraw();
    svg.removeAttribute('visibility');
  };

  redraw();
  // Hide the overlay during a zoom animation, because it would not match the tiles.
  map.on('zoomanim', hide);
  map.on('zoomend viewreset', show);
  return {
    redraw,
    remove(): void {
      map.off('zoomanim', hide);
      map.off('zoomend viewreset', show);
      svg.remove();
    },
  };
}
