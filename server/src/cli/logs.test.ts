// What people send with a request stays out of every log: a place that came with a check-in is nowhere afterwards.
import { execFileSync } from 'node:child_process';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { migratedData, startCli } from '../../testing/run-cli.ts';
import type { Database } from '../../../shared/database.types.ts';

test('the place of a check-in is in no log and no file of the data folder', async () => {
  const data = migratedData();
  const host = await startCli({ DATA_DIR: data, DEMO: 'true', LOG_LEVEL: 'debug' });
  const { anonKey } = (await (await fetch(`${host.url}/config.json`)).json()) as {
    anonKey: string;
  };
  const client = createClient<Database>(host.url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
  await client.auth.signUp({
    email: 'noa@example.test',
    password: 'a long enough password',
    options: { data: { age_confirmed: true } },
  });
  const place = { p_lat: 32.1000417, p_long: 34.8000529, p_accuracy: 17.0313 };
  const statuses = [];
  // Taken, refused by the function, and failing in PostgreSQL.
  for (const park of [1, 999_999, 1])
    statuses.push(
      (await client.rpc('check_in', { p_park_id: park, p_switch: true, ...place })).status,
    );
  const broken = await client.rpc('check_in', {
    p_park_id: 1,
    ...place,
    p_accuracy: '17.0313x' as never,
  });
  expect([...statuses, broken.status]).toEqual([200, 400, 200, 400]);
  expect(await host.end('SIGTERM')).toBe(0);
  expect(host.output()).toContain('check_in');
  const traces = /1000417|8000529|17\.0313/;
  expect(host.output()).not.toMatch(traces);
  const found = execFileSync('sh', [
    '-c',
    'grep -raEl "1000417|8000529|17[.]0313" "$0" || true',
    data,
  ]).toString();
  expect(found).toBe('');
});
