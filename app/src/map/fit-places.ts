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
  const covered = size.subtract(size).add(start).add(end);
  const zoomOf = (count: number) => map.getBoundsZoom(points.slice(0, count), false, covered);
  let count = points.length;
  // Show more than `least` places only if that needs no lower zoom, at which neighbours would merge into clusters.
  while (count > least && zoomOf(count) < Math.min(zoomOf(least), maxZoom)) count -= 1;
  const shown = points.slice(0, count);
  if (zoomOf(count) < FARTHEST_ZOOM) return;
  const padding = { paddingTopLeft: start, paddingBottomRight: end, animate: false };
  if (zoomOf(count) < map.getZoom()) map.fitBounds(shown, { ...padding, maxZoom });
  // Pan only as far as needed, because the first place is the user's and should stay close to the centre.
  else for (const point of shown) map.panInside(point, padding);
}
