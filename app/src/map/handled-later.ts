// Lets a layer of tiles follow the map a task later: a jump moves map, ground, tiles and markers, together a long task on a slow phone.
import type { LeafletEvent, LeafletEventHandlerFn } from 'leaflet';

type Handlers = Record<string, LeafletEventHandlerFn>;

/** An animation has to begin with the map's own. */
const AT_ONCE = 'zoomanim';

/**
 * A layer's handlers, put off to the next task: in order, and what happens twice until then is done once.
 * @param live whether the layer is still on its map
 */
export function handledLater(layer: object, handlers: Handlers, live: () => boolean): Handlers {
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
