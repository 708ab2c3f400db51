// Draws a route and its duration on the map. Loaded only when the user requests directions.
import type { Map as LeafletMap } from 'leaflet';
import { addSvgOverlay, draw, pathOf } from '#/map/svg-overlay.ts';
import styles from './route-line.module.css';

/** Padding around the text, and the distance from its middle to its baseline, in pixels. */
const PADDING = 10;
const HEIGHT = 28;
const BASELINE = 5;

/**
 * Draws a line and zooms the map to all of it.
 * @param path coordinates (latitude, longitude) of at least two points
 * @param time translated duration
 * @param covered pixels at the top and bottom of the map that are covered by other elements
 * @returns a function that removes the line
 */
export function drawRoute(
  map: LeafletMap,
  path: readonly (readonly [number, number])[],
  time: string,
  covered: { top: number; bottom: number },
): () => void {
  const places = path.map(([lat, long]) => ({ lat, long }));
  const overlay = addSvgOverlay(map, (svg, project) => {
    const d = pathOf(places, project);
    draw(svg, 'path', styles.casing, { d });
    const way = draw(svg, 'path', styles.line, { d });
    const { x, y } = way.getPointAtLength(way.getTotalLength() / 2);
    const sign = draw(svg, 'g', styles.time, { transform: `translate(${x} ${y})` });
    const words = draw(sign, 'text', '', { y: BASELINE });
    words.textContent = time;
    const width = words.getComputedTextLength() + 2 * PADDING;
    const size = { x: -width / 2, y: -HEIGHT / 2, width, height: HEIGHT, rx: HEIGHT / 2 };
    words.before(draw(sign, 'rect', '', size));
  });
  map.fitBounds(
    places.map(({ lat, long }) => [lat, long]),
    { paddingTopLeft: [40, covered.top + 40], paddingBottomRight: [40, covered.bottom + 40] },
  );
  return overlay.remove;
}
