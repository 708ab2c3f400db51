// The functions service (/functions/v1/<name>) runs supabase/functions as Supabase does.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { HostParts } from '#/host/host-parts.ts';
import { loadFunction } from '#/host/functions/deno.ts';
import { headersWithIp } from '#/host/lib/ip-addresses.ts';
import { bearerToken, json, readBody, type Service } from '#/host/lib/http.ts';
import { withFields, type Log } from '#/host/lib/log.ts';

type LoadedFunction = Awaited<ReturnType<typeof loadFunction>>;

interface FunctionsParts extends Pick<HostParts, 'tokens' | 'log'> {
  /** The folder of the built functions, named `<name>.mjs`. */
  folder: string;
  /** The URL of the host's own API, which functions call. */
  url: string;
  /** Variables that functions may read, in addition to those of every Supabase project. */
  environment: Record<string, string>;
}

const MAX_BODY = 256 * 1024;
const TIMEOUT_MS = 60_000;
const NAME = /^[a-z][a-z0-9-]*$/;
/** Methods that the Request constructor rejects, so no function can be called with them. */
const UNSUPPORTED_METHODS = /^(TRACE|TRACK|CONNECT)$/i;

/** Creates the service. Each function is loaded when it is first called. */
export function createFunctionsService(parts: FunctionsParts) {
  const { folder, tokens, url } = parts;
  const environment = {
    ...parts.environment,
    SUPABASE_URL: url,
    SUPABASE_ANON_KEY: tokens.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: tokens.serviceKey,
  };
  const loaded = new Map<string, Promise<LoadedFunction>>();

  function find(name: string): Promise<LoadedFunction> | null {
    const file = path.join(folder, `${name}.mjs`);
    if (!NAME.test(name) || !existsSync(file)) return null;
    let handler = loaded.get(name);
    if (!handler) {
      handler = loadFunction(file, environment, parts.log);
      handler.catch(() => loaded.delete(name));
      loaded.set(name, handler);
    }
    return handler;
  }

  async function callHandler(
    name: string,
    load: Promise<LoadedFunction>,
    request: Request,
    requestLog: Log,
  ): Promise<Response> {
    const log = withFields(requestLog, { function: name });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<Response>((resolve) => {
      timer = setTimeout(
        () => resolve(json({ code: 504, message: 'The function took too long' }, 504)),
        TIMEOUT_MS,
      );
    });
    try {
      const handler = await load;
      return await Promise.race([handler(request, log), timeout]);
    } catch (error) {
      log.error({ error: (error as Error).stack }, 'a function failed');
      return json({ code: 500, message: 'The function failed' }, 500);
    } finally {
      clearTimeout(timer);
    }
  }

  const handle: Service = async (request, { ip, headers: clientHeaders, log }) => {
    if (UNSUPPORTED_METHODS.test(request.method))
      return json({ code: 405, message: 'Method not allowed' }, 405);
    const functionUrl = new URL(request.url);
    // As on Supabase, the path that a function receives starts with its name.
    functionUrl.pathname = functionUrl.pathname.replace(/^\/functions\/v1/, '');
    const name = functionUrl.pathname.split('/')[1] ?? '';
    const load = find(name);
    if (!load) return json({ code: 'NOT_FOUND', message: 'Requested function was not found' }, 404);
    // The official client sends a publishable key only in the header `apikey`, and not as a bearer token.
    const token = bearerToken(request) ?? request.headers.get('apikey');
    if (!token) return json({ code: 401, message: 'Missing authorization header' }, 401);
    try {
      await tokens.verify(token);
    } catch {
      return json({ code: 401, message: 'Invalid JWT' }, 401);
    }
    const body = await readBody(request, MAX_BODY);
    const { method, signal } = request;
    const headers = headersWithIp(clientHeaders, ip);
    const withBody = body.length > 0 ? { body: new Uint8Array(body) } : {};
    return callHandler(
      name,
      load,
      new Request(functionUrl, { method, headers, signal, ...withBody }),
      log,
    );
  };

  return {
    handle,
    /** Loads a function before its first call. An error is thrown only by the call. */
    load: (name: string): void => void find(name),
    /**
     * Calls a function with the service key, from inside the host.
     * @returns the parsed response
     * @throws if the response is not successful
     */
    async run(name: string, body: unknown = {}): Promise<unknown> {
      const load = find(name);
      if (!load) throw new Error(`There is no function "${name}": run npm run build.`);
      const request = new Request(`${url}/${name}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokens.serviceKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      const response = await callHandler(name, load, request, parts.log);
      if (!response.ok)
        throw new Error(
          `The function ${name} returned ${response.status}: ${await response.text()}`,
        );
      return response.json();
    },
  };
}

export type Functions = ReturnType<typeof createFunctionsService>;
