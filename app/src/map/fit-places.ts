// Zooms a map out until some places are seen beside what covers it.
import type { Map as LeafletMap } from 'leaflet';
import type { LatLong } from '#/core/distance.ts';

/** What is no neighbourhood any more. */
const FARTHEST_ZOOM = 11;

interface FitOptions {
  /** Pixels at each side that the places keep clear of. */
  start: [number, number];
  end: [number, number];
  maxZoom: number;
}

/** @param least so many of the first, whatever the zoom; more of them where they are near */
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
    return x >= start[0] && y >= start[1] && x <= size.x - end[0] && y <= size.y - end[1];
  });
  if (isSeen) return;
  const padding = size.subtract(size).add(start).add(end);
  const zoomOf = (count: number) => map.getBoundsZoom(points.slice(0, count), false, padding);
  let count = points.length;
  // More of them are seen where they cost no zoom: from further out neighbours are one cluster.
  while (count > least && zoomOf(count) < Math.min(zoomOf(least), maxZoom)) count -= 1;
  if (zoomOf(count) < FARTHEST_ZOOM) return;
  map.fitBounds(points.slice(0, count), {
    paddingTopLeft: start,
    paddingBottomRight: end,
    maxZoom,
    animate: false,
  });
}
