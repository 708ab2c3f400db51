// Starts a host whose database contains the library schema, for the tests of the REST service. Requests use the official client or
// plain HTTP.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { startTestHost, type TestHost } from './test-host.ts';

interface RestAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; null if it is empty or not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
  json: any;
  /** Status and code of an error, such as `400 PGRST102`. */
  code: string;
}

export interface RestInit extends RequestInit {
  as?: string;
  prefer?: string;
}

interface RestHost extends TestHost {
  /** The official client without the product's types. */
  library(token?: string, key?: string): SupabaseClient;
  /** Sends a plain request below /rest/v1/ with the anonymous key. */
  rest(path: string, init?: RestInit): Promise<RestAnswer>;
  post(path: string, body: BodyInit, init?: RestInit): Promise<RestAnswer>;
  patch(path: string, body: BodyInit, init?: RestInit): Promise<RestAnswer>;
}

export async function startRestHost(): Promise<RestHost> {
  const host = await startTestHost();
  await host.sql(await readFile(path.join(import.meta.dirname, 'rest-fixture.sql'), 'utf8'));
  const rest: RestHost['rest'] = async (target, { as, prefer, ...init } = {}) => {
    const headers = new Headers({ apikey: host.tokens.anonKey });
    if (init.body !== undefined && init.body !== null)
      headers.set('content-type', 'application/json');
    if (as !== undefined) headers.set('authorization', `Bearer ${as}`);
    if (prefer !== undefined) headers.set('prefer', prefer);
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    const response = await fetch(`${host.url}/rest/v1/${target}`, { ...init, headers });
    const { status } = response;
    const text = await response.text();
    let json: RestAnswer['json'] = null;
    try {
      json = JSON.parse(text);
    } catch {
      // If the body is not JSON, the test reads the text.
    }
    return { status, headers: response.headers, text, json, code: `${status} ${json?.code}` };
  };
  return {
    ...host,
    library: (token, key) =>
      host.client({
        ...(token === undefined ? {} : { token }),
        ...(key === undefined ? {} : { key }),
      }) as unknown as SupabaseClient,
    rest,
    post: (target, body, init) => rest(target, { ...init, method: 'POST', body }),
    patch: (target, body, init) => rest(target, { ...init, method: 'PATCH', body }),
  };
}
