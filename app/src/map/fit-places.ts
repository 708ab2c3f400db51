// Zooms a map out until the given places are visible and not covered by other elements.
import type { Map as LeafletMap } from 'leaflet';
import type { LatLong } from '#/core/distance.ts';

/** The minimum zoom level. Zooming out further would show more than a neighbourhood. */
const FARTHEST_ZOOM = 11;

/** Places this far inside the padding count as visible, because users would not notice that the map moved by so few pixels. */
const TOLERANCE_PX = 8;

interface FitOptions {
  /** Padding in pixels at each side. */
  start: [number, number];
  end: [number, number];
  maxZoom: number;
}

/** @param least number of places to show at any zoom; more are shown only if they are close */
export function fitPlaces(
  map: LeafletMap,
  places: readonly LatLong[],
  least: number,
  { start, end, maxZoom }: FitOptions,
): void {
  const points = places.map(({ lat, long }): [number, number] => [lat, long]);
  const size = map.getSize();
  const isSeen = points.slice(0, least).every((point) => {
    const { x, y } = map.latLngToContainerPoint(point);
    return (
      Math.min(x - start[0], y - start[1]) >= -TOLERANCE_PX &&
      Math.min(size.x - end[0] - x, size.y - end[1] - y) >= -TOLERANCE_PX
    );
  });
  if (isSeen) return;
  const padding = size.subtract(size).add(start).add(end);
  const zoomOf = (count: number) => map.getBoundsZoom(points.slice(0, count), false, padding);
  let count = points.length;
  // Show more than `least` places only if that needs no lower zoom, at which neighbours would merge into clusters.
  while (count > least && zoomOf(count) < Math.min(zoomOf(least), maxZoom)) count -= 1;
  const shown = points.slice(0, count);
  if (zoomOf(count) < FARTHEST_ZOOM) return;
  if (zoomOf(count) >= map.getZoom()) return panUntilVisible(map, shown, { start, end });
  map.fitBounds(shown, {
    paddingTopLeft: start,
    paddingBottomRight: end,
    maxZoom,
    animate: false,
  });
}

/** Pans only as far as needed, because the first place is the user's and stays close to the centre. */
function panUntilVisible(
  map: LeafletMap,
  places: [number, number][],
  { start, end }: Pick<FitOptions, 'start' | 'end'>,
): void {
  const points = places.map((place) => map.latLngToContainerPoint(place));
  const size = map.getSize();
  const [x, y] = (['x', 'y'] as const).map((axis, index) => {
    const values = points.map((point) => point[axis]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const before = least - (start[index] ?? 0);
    const after = most - (size[axis] - (end[index] ?? 0));
    return before < 0 ? before : Math.max(after, 0);
  });
  map.panBy([x ?? 0, y ?? 0], { animate: false });
}
