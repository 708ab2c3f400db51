// The functions service by itself: what a function sees of its request, driven by the official client.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createFunctionsService, type Functions } from '#/host/functions/service.ts';
import { createLog } from '#/host/lib/log.ts';
import { createTokens, type Tokens } from '#/host/lib/tokens.ts';

const ADDRESS = 'http://functions.test';
let folder: string;
let tokens: Tokens;
let functions: Functions;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-functions-'));
  await writeFile(
    path.join(folder, 'echo.mjs'),
    'Deno.serve((request) => Response.json({ path: new URL(request.url).pathname, method: request.method }));',
  );
  tokens = await createTokens('a secret of at least thirty-two characters');
  functions = createFunctionsService({
    folder,
    tokens,
    log: createLog('fatal'),
    url: ADDRESS,
    environment: {},
  });
});
afterAll(() => rm(folder, { recursive: true }));

test('a function sees the path from its own name on', async () => {
  const context = { address: '', loopback: true, log: createLog('fatal') };
  const client = createClient(ADDRESS, tokens.anonKey, {
    // Node 20 has none of its own.
    realtime: { transport: WebSocket as never },
    global: { fetch: (input, init) => functions.handle(new Request(input, init), context) },
  });
  const { data: whole } = await client.functions.invoke('echo');
  expect(whole).toEqual({ path: '/echo', method: 'POST' });
  const { data: below } = await client.functions.invoke('echo/dogs/7', { method: 'GET' });
  expect(below).toEqual({ path: '/echo/dogs/7', method: 'GET' });
  expect(await functions.run('echo')).toEqual({ path: '/echo', method: 'POST' });
});
