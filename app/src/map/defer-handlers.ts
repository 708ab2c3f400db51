// Defers a layer's event handlers to the next task: moving map, ground, tiles and markers in one would be a long task on a slow phone.
import type { LeafletEvent, LeafletEventHandlerFn } from 'leaflet';

type Handlers = Record<string, LeafletEventHandlerFn>;

/** A zoom animation has to start together with the map's. */
const AT_ONCE = 'zoomanim';

/**
 * The handlers, deferred to the next task: in order, and each runs once however often its event came.
 * @param live whether the layer is still on its map
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
