// Tests the functions service with the official client: authorisation, and the request that a function receives.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { createFunctionsService } from '#/host/functions/service.ts';
import { createLog } from '#/host/lib/log.ts';
import { createTokens } from '#/host/lib/tokens.ts';
import { contextOf } from '../../../../testing/request-context.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const ADDRESS = 'http://functions.test';

const folder = temporaryFolder();
await writeFile(
  path.join(folder, 'echo.mjs'),
  'Deno.serve((request) => Response.json({ path: new URL(request.url).pathname, method: request.method }));',
);
await writeFile(
  path.join(folder, 'town.mjs'),
  `Deno.serve(async () => {
    await globalThis.untilOtherCallEnded;
    return Response.json(Deno.env.get('TOWN'));
  });`,
);
const tokens = await createTokens('a secret of at least thirty-two characters');
const log = createLog('silent');
const functions = createFunctionsService({
  folder,
  tokens,
  log,
  url: ADDRESS,
  environment: { TOWN: 'Haifa' },
});
const client = createClient(ADDRESS, tokens.anonKey, {
  // Node 20 has no global WebSocket.
  realtime: { transport: WebSocket as never },
  global: { fetch: (input, init) => call(new Request(input, init)) },
});

const call = (request: Request) => functions.handle(request, contextOf(request));

test('a function receives the path from its name on', async () => {
  const { data: whole } = await client.functions.invoke('echo');
  expect(whole).toEqual({ path: '/echo', method: 'POST' });
  const { data: below } = await client.functions.invoke('echo/dogs/7', { method: 'GET' });
  expect(below).toEqual({ path: '/echo/dogs/7', method: 'GET' });
  expect(await functions.run('echo')).toEqual({ path: '/echo', method: 'POST' });
});

test('a function keeps its settings while another call starts and ends', async () => {
  let ended = (): void => undefined;
  Object.assign(globalThis, {
    untilOtherCallEnded: new Promise<void>((resolve) => (ended = resolve)),
  });
  const slow = client.functions.invoke('town');
  await client.functions.invoke('echo');
  ended();
  expect((await slow).data).toBe('Haifa');
  expect((await client.functions.invoke('town')).data).toBe('Haifa');
});

test('a caller needs a token of this host', async () => {
  const url = `${ADDRESS}/functions/v1/echo`;
  expect((await call(new Request(url))).status).toBe(401);
  const forged = await call(new Request(url, { headers: { authorization: 'Bearer a.b.c' } }));
  expect(forged.status).toBe(401);
  expect(await forged.json()).toEqual({ code: 401, message: 'Invalid JWT' });
});

const statusOf = (error: unknown) => (error as { context?: Response } | null)?.context?.status;

test.each(['nothing', '_shared', '..%2f..%2fcli', 'constructor'])(
  'an unknown function is not found: %s',
  async (name) => {
    const { error } = await client.functions.invoke(name);
    expect(statusOf(error)).toBe(404);
  },
);
