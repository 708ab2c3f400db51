// Defers a layer's event handlers to the next task. Moving map, overlays, tiles and markers in one task takes too long on slow
// phones.
import type { LeafletEvent, LeafletEventHandlerFn } from 'leaflet';

type Handlers = Record<string, LeafletEventHandlerFn>;

/** This event is not deferred, because a layer's zoom animation has to start together with the map's. */
const AT_ONCE = 'zoomanim';

/**
 * Returns handlers that run in the next task, in order, and once per task for repeated events.
 * @param live returns whether the layer is still on its map
 */
export function deferHandlers(layer: object, handlers: Handlers, live: () => boolean): Handlers {
  const waiting = new Map<LeafletEventHandlerFn, LeafletEvent>();
  const work = () => {
    const now = [...waiting];
    waiting.clear();
    if (live()) for (const [handler, event] of now) handler.call(layer, event);
  };
  const later = (handler: LeafletEventHandlerFn) => (event: LeafletEvent) => {
    if (waiting.size === 0) setTimeout(work);
    waiting.delete(handler);
    waiting.set(handler, event);
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      name === AT_ONCE ? handler : later(handler),
    ]),
  );
}
