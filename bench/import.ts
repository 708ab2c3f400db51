// An import of 100,000 parks by the command while people read and add parks, against one bare SQL statement of the same data.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SignJWT } from 'jose';
import pg from 'pg';
import { startBenchHost, type BenchHost } from './lib/bench-host.ts';
import { runPackpark } from './lib/run-command.ts';
import { percentile, round } from './lib/statistics.ts';

const PARKS = 100_000;
const SECRET = 'a secret of the benchmark with at least 32 characters';
/** Each of them may add ten parks a day. */
const PEOPLE = 60;
const PAUSE_MS = 100;
const IDLE_MS = 10_000;

const row = (n: number) =>
  [
    `${n}`,
    `Park ${n}`,
    `גינה ${n}`,
    'Haifa',
    `Street ${n}`,
    29.5 + n / 30_000,
    34.3 + n / 80_000,
    500 + (n % 900),
  ].join(',');

/** The same rows by one statement, with everything that hangs on the tables. */
const BARE = `
  with made as (
    insert into public.parks (source, source_ref, licence, lat, long, size, status)
    select 'Bare', n, 'CC0', 29.5 + n / 30000.0, 34.3 + n / 80000.0, 500 + n % 900, 'approved' from generate_series(0, ${PARKS - 1}) n
    returning id, source_ref
  )
  insert into public.park_translations (park_id, language, name, city, address)
  select id, language::public.language, case language when 'he' then 'גינה ' else 'Park ' end || source_ref, 'Haifa', 'Street ' || source_ref
  from made, unnest(array['en', 'he']) language`;

/** Tokens of people who may add parks. */
async function makePeople(client: pg.Client): Promise<string[]> {
  const key = new TextEncoder().encode(SECRET);
  const ids = Array.from({ length: PEOPLE }, () => randomUUID());
  await client.query(
    `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
     select id, id || '@example.test', now(), '{"full_name": "Bench", "age_confirmed": true}' from unnest($1::uuid[]) id`,
    [ids],
  );
  await client.query(
    'update private.user_consents set terms_accepted_at = now(), licence_agreed_at = now()',
  );
  return Promise.all(
    ids.map((id) =>
      new SignJWT({ role: 'authenticated', sub: id, aud: 'authenticated' })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setExpirationTime('1h')
        .sign(key),
    ),
  );
}

/** Reads parks and adds them, turn by turn, until it is stopped; collects how long each took, in ms. */
function startVisitors(host: BenchHost, tokens: string[]) {
  const reads: number[] = [];
  const writes: number[] = [];
  let going = true;
  let turn = 0;
  async function timed(times: number[], url: string, options: RequestInit) {
    const began = performance.now();
    const response = await fetch(`${host.url}/rest/v1/${url}`, options);
    const body = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${body}`);
    times.push(performance.now() - began);
  }
  const headersOf = (token: string) => ({
    apikey: host.anonKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
  async function visit() {
    while (going) {
      const token = tokens[(turn += 1) % tokens.length] ?? '';
      await timed(reads, 'parks?select=id,size,park_translations(name)&limit=20', {
        headers: headersOf(token),
      });
      // The day's limit of all together is spent half by the idle time and half by the import.
      if (turn % 4 === 0)
        await timed(writes, 'rpc/submit_park', {
          method: 'POST',
          headers: headersOf(tokens[(turn / 4) % tokens.length] ?? ''),
          body: JSON.stringify({
            p_name: `New ${turn}`,
            p_city: 'Acre',
            p_address: `Sea ${turn}`,
            p_lat: 33,
            p_long: 35,
          }),
        });
      await delay(PAUSE_MS);
    }
  }
  const visits = visit();
  return async () => {
    going = false;
    await visits;
    return { reads, writes };
  };
}

const importFile = (host: BenchHost, file: string) =>
  runPackpark(['import-parks', file, '--source', 'Bench', '--licence', 'CC0'], {
    DATABASE_URL: host.connectionString,
  });

export async function run() {
  const host = await startBenchHost({ JWT_SECRET: SECRET });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-import-'));
  const client = new pg.Client(host.connectionString);
  try {
    await client.connect();
    const tokens = await makePeople(client);
    const file = path.join(folder, 'parks.csv');
    await writeFile(
      file,
      [
        'source_ref,name_en,name_he,city,address,lat,long,size',
        ...Array.from({ length: PARKS }, (_, n) => row(n)),
      ].join('\n'),
    );

    const began = performance.now();
    await client.query(BARE);
    const bare = (performance.now() - began) / 1000;
    await client.query(`delete from public.parks where source = 'Bare'`);
    await client.query('vacuum analyze public.parks, public.park_translations');

    const endIdle = startVisitors(host, tokens);
    await delay(IDLE_MS);
    const idle = await endIdle();
    const endBusy = startVisitors(host, tokens);
    const first = await importFile(host, file);
    const again = await importFile(host, file);
    const busy = await endBusy();

    const p99 = (times: number[]) => round(percentile(times, 0.99), 1);
    const waits = (what: string, now: number[], before: number[]) => ({
      goal: 27,
      what: `p99 of ${what} during two imports (${now.length} calls)`,
      figure: p99(now),
      unit: 'ms',
      control: 'the same without an import',
      controlFigure: p99(before),
      ratio: round(p99(now) / p99(before)),
      pass: p99(now) <= 1000,
    });
    return [
      {
        goal: 27,
        what: `import of ${PARKS} new parks by the command, while people read and add parks`,
        figure: round(first.seconds, 1),
        unit: 's',
        control: 'one bare SQL statement of the same data',
        controlFigure: round(bare, 1),
        ratio: round(first.seconds / bare),
        pass: first.seconds <= 60,
      },
      {
        goal: 27,
        what: 'the same import again, which changes nothing',
        figure: round(again.seconds, 1),
        unit: 's',
        pass: again.seconds <= 60,
      },
      {
        goal: 27,
        what: 'memory of the command that imports',
        figure: round(Math.max(first.megabytes, again.megabytes), 0),
        unit: 'MB',
      },
      waits('reads of 20 parks', busy.reads, idle.reads),
      waits('submit_park', busy.writes, idle.writes),
    ];
  } finally {
    await client.end().catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
    await host.stop();
  }
}
