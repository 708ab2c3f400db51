// The little of Deno that our functions use, on Node: each function gets its own settings and hands over its handler.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';

export type Handler = (request: Request) => Response | Promise<Response>;

/** The globals of a function. Several hosts in one process keep theirs separate. */
interface World {
  environment: Record<string, string | undefined>;
  handler: Handler | null;
}

const worlds = new AsyncLocalStorage<World>();
let inside = 0;

/**
 * Runs a function's code in its world. Between two calls the storage is off: until Node 24 it costs every promise of the
 * host a hook, a tenth of a REST read.
 */
async function runIn<T>(world: World, code: () => T | Promise<T>): Promise<T> {
  inside += 1;
  try {
    return await worlds.run(world, code);
  } finally {
    inside -= 1;
    if (inside === 0) worlds.disable();
  }
}

function provideGlobals(): void {
  const deno = {
    serve(handler: Handler) {
      const world = worlds.getStore();
      if (world) world.handler = handler;
    },
    env: { get: (name: string) => worlds.getStore()?.environment[name] },
  };
  Object.assign(globalThis, { Deno: deno });
  // Node has WebSocket from version 22 on. The official client requires it even if it never opens one.
  if (!('WebSocket' in globalThis)) Object.assign(globalThis, { WebSocket });
}

/** Loads a built function. `file`: the bundled module that calls `Deno.serve`. Throws when it calls it not. */
export async function loadFunction(
  file: string,
  environment: Record<string, string | undefined>,
): Promise<Handler> {
  provideGlobals();
  const world: World = { environment, handler: null };
  // The query makes it a module of its own for each host, so that no cache is shared between them.
  await runIn(
    world,
    () => import(/* @vite-ignore */ `${pathToFileURL(file).href}?host=${randomUUID()}`),
  );
  const { handler } = world;
  if (!handler) throw new Error(`${file} does not call Deno.serve`);
  return (request) => runIn(world, () => handler(request));
}
