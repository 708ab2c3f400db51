// Draws a route on the map. Loaded only when somebody asks for directions.
import type { Map as LeafletMap } from 'leaflet';
import { setPosition } from 'leaflet/src/dom/DomUtil.js';
import styles from './route-line.module.css';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws a line through places and shows all of it.
 * @param places latitude and longitude of each bend, at least two
 * @param covered pixels at the top and bottom of the map that something else covers
 * @returns takes the line away
 */
export function drawRoute(
  map: LeafletMap,
  places: readonly (readonly [number, number])[],
  covered: { top: number; bottom: number },
): () => void {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', styles.route ?? '');
  const [casing, line] = ['casing', 'line'].map((name) => {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', styles[name] ?? '');
    svg.append(path);
    return path;
  });
  map.getPane('overlayPane')?.append(svg);

  function draw(): void {
    const points = places.map(([lat, long]) => map.latLngToLayerPoint([lat, long]));
    const [first] = points;
    if (!first) return;
    // Near the origin of the layer, so that numbers stay small however far the map was dragged.
    setPosition(svg as unknown as HTMLElement, first);
    const data = `M${points.map((point) => `${String(point.x - first.x)} ${String(point.y - first.y)}`).join('L')}`;
    casing?.setAttribute('d', data);
    line?.setAttribute('d', data);
  }
  const hide = (): void => svg.setAttribute('visibility', 'hidden');
  const show = (): void => {
    draw();
    svg.removeAttribute('visibility');
  };

  draw();
  // During a zoom animation the line would not match the streets.
  map.on('zoomanim', hide);
  map.on('zoomend viewreset', show);
  map.fitBounds(
    places.map(([lat, long]) => [lat, long]),
    { paddingTopLeft: [40, covered.top + 40], paddingBottomRight: [40, covered.bottom + 40] },
  );
  return () => {
    map.off('zoomanim', hide);
    map.off('zoomend viewreset', show);
    svg.remove();
  };
}
