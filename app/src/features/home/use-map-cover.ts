// Measures how much of the map is covered by elements above it, and moves the map if its destination is covered.
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { afterPaint } from '#/core/after-paint.ts';
import type { LatLong } from '#/core/distance.ts';
import type { Covered, ParkMap } from '#/map/park-map.ts';
import { useOnline } from '#/platform/online.ts';

/** Distance in pixels from a pin's tip to the middle of its head. */
const PIN_HEAD = 30;

interface MapCoverOptions {
  map: ParkMap | null;
  selected: LatLong | undefined;
  /** The map's destination. */
  sentTo: RefObject<LatLong | null>;
}

/** Set the ref on the element around the map; its descendants with `data-slot` are above the map. */
export function useMapCover({ map, selected, sentTo }: MapCoverOptions) {
  const online = useOnline();
  const ref = useRef<HTMLDivElement>(null);
  const stacks = () => [...(ref.current?.querySelectorAll<HTMLElement>('[data-slot]') ?? [])];

  /** Moves the map only if the pin is covered, because users otherwise expect the pin in the middle of the map. */
  function uncoverDestination(): void {
    const place = sentTo.current;
    if (map && place && isUnder(stacks(), map, place)) map.reveal(place);
  }

  const measure = useEffectEvent(() => {
    if (!map) return;
    map.setCovered(coveredBy(stacks(), map.leaflet.getContainer()));
    if (selected) {
      map.reveal(selected);
      return;
    }
    // Without a network the map might have no tiles at another zoom level.
    if (online) map.refit();
    uncoverDestination();
  });
  useEffect(() => {
    const sizes = new ResizeObserver(() => measure());
    if (ref.current) sizes.observe(ref.current);
    for (const stack of stacks()) sizes.observe(stack);
    return () => sizes.disconnect();
  }, []);
  useEffect(() => {
    let current = true;
    // Let the browser paint the effect of the tap first, because measuring forces a layout.
    void afterPaint().then(() => current && measure());
    return () => {
      current = false;
    };
  }, [map, selected]);

  return { ref, uncoverDestination };
}

/** Returns true if one of the stacks covers the head of a pin at this place. */
function isUnder(stacks: readonly HTMLElement[], { leaflet }: ParkMap, { lat, long }: LatLong) {
  const whole = leaflet.getContainer().getBoundingClientRect();
  const pin = leaflet.latLngToContainerPoint([lat, long]);
  const x = whole.left + pin.x;
  const y = whole.top + pin.y - PIN_HEAD;
  return stacks.some((stack) => {
    const { left, right, top, bottom } = stack.getBoundingClientRect();
    return left < x && x < right && top < y && y < bottom;
  });
}

/**
 * Computes which edges of the map are covered. A stack nearly as wide as the map covers the top or bottom, a narrower one a side.
 */
function coveredBy(stacks: readonly HTMLElement[], map: HTMLElement): Covered {
  const whole = map.getBoundingClientRect();
  const covered = { top: 0, bottom: 0, left: 0, right: 0 };
  for (const stack of stacks) {
    const { left, right, top, bottom, width, height } = stack.getBoundingClientRect();
    // On a desktop the cards are next to the map and do not cover it.
    if (height === 0 || left >= whole.right || right <= whole.left) continue;
    if (width < whole.width * 0.7) {
      if (left - whole.left < whole.right - right)
        covered.left = Math.max(covered.left, right - whole.left);
      else covered.right = Math.max(covered.right, whole.right - left);
    } else if (top - whole.top < whole.bottom - bottom)
      covered.top = Math.max(covered.top, bottom - whole.top);
    else covered.bottom = Math.max(covered.bottom, whole.bottom - top);
  }
  return covered;
}
