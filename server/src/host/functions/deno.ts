// The subset of Deno's API that our functions use, implemented on Node. Each function has its own settings and registers its
// handler.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { WebSocket } from 'ws';
import type { Log } from '#/host/lib/log.ts';

type Handler = (request: Request) => Response | Promise<Response>;

/** The global state of a function. It is separate for each host in a process. */
interface World {
  environment: Record<string, string | undefined>;
  handler: Handler | null;
  /** Receives what the function prints. */
  log: Log;
}

const worlds = new AsyncLocalStorage<World>();
let inside = 0;

/**
 * Runs a function's code with its global state. The AsyncLocalStorage is disabled between calls, because up to Node 24 its hook on
 * every promise costs a tenth of a REST read.
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
  if ('Deno' in globalThis) return;
  const deno = {
    serve(handler: Handler) {
      const world = worlds.getStore();
      if (world) world.handler = handler;
    },
    env: { get: (name: string) => worlds.getStore()?.environment[name] },
  };
  Object.assign(globalThis, { Deno: deno });
  for (const level of ['warn', 'error'] as const) {
    const print = console[level];
    console[level] = (...parts: unknown[]) => {
      const world = worlds.getStore();
      if (world) world.log[level]({ error: format(...parts) }, 'a function reported a problem');
      else print(...parts);
    };
  }
  // The official client requires a global WebSocket even if it opens none. Node has had one since version 22.
  if (!('WebSocket' in globalThis)) Object.assign(globalThis, { WebSocket });
}

/**
 * Loads a built function, which writes to the log of each call.
 * @param file the bundled module, which calls `Deno.serve`
 * @throws Error if it does not call `Deno.serve`
 */
export async function loadFunction(
  file: string,
  environment: Record<string, string | undefined>,
  log: Log,
): Promise<(request: Request, log: Log) => Promise<Response>> {
  provideGlobals();
  const world: World = { environment, handler: null, log };
  // The query makes Node load a separate module for each host, so that hosts share no cache.
  await runIn(
    world,
    () => import(/* @vite-ignore */ `${pathToFileURL(file).href}?host=${randomUUID()}`),
  );
  const { handler } = world;
  if (!handler) throw new Error(`${file} does not call Deno.serve`);
  return (request, callLog) => runIn({ ...world, log: callLog }, () => handler(request));
}
