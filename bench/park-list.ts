// Benchmark: the transfer size of the park list (brotli 11) per 1000 parks, with ratings and hours, and with facts as common as in
// OpenStreetMap. Control: gzip.
import { gzipSync } from 'node:zlib';
import type { Result } from './goals.ts';
import { openPool, startBenchHost, type BenchHost } from './lib/bench-host.ts';
import { round } from './lib/statistics.ts';

const PARKS = 1000;

/** The approximate share of dog parks with each key in OpenStreetMap, and the distribution of its values. */
const SHARES: [key: string, share: number, values: string[]][] = [
  ['fenced', 0.35, ['yes', 'yes', 'yes', 'no']],
  ['fence:height', 0.02, ['1.2', '1.5', '1.8']],
  ['small_dog', 0.05, ['separate', 'shared', 'no']],
  ['drinking_water', 0.1, ['yes', 'no']],
  ['lit', 0.1, ['yes', 'no']],
  ['bench', 0.12, ['yes', 'yes', 'no']],
  ['bin', 0.08, ['yes', 'no']],
  ['excrement_bags', 0.03, ['yes', 'no']],
  ['dog_agility', 0.02, ['yes']],
  ['wheelchair', 0.06, ['yes', 'limited', 'no']],
  ['fee', 0.08, ['no', 'no', 'yes']],
  ['dog', 0.12, ['unleashed', 'unleashed', 'leashed']],
  [
    'opening_hours',
    0.1,
    ['24/7', 'sunrise-sunset', 'Mo-Su 06:00-22:00', 'Su-Th 06:00-22:00; Fr 06:00-15:00; Sa off'],
  ],
];
const FACTS = SHARES.map(
  ([key, share, values]) =>
    `'${key}', case when random() < ${share} then (array['${values.join("','")}'])[1 + floor(random() * ${values.length})::int] end`,
).join(', ');

/** Adds parks whose names, streets and towns are as long and varied as in real lists. */
async function addParks(host: BenchHost) {
  await openPool(host).query(
    `with made as (
       insert into public.parks (lat, long, status, size, materials, facts)
       select 29.5 + random() * 3.7, 34.3 + random() * 1.3, 'approved',
         case when random() < 0.8 then 200 + random() * 6000 end,
         case when random() < 0.25 then array[(array['GRASS','SAND','DIRT','SYNTHETIC_GRASS'])[1 + floor(random() * 4)::int]::public.ground] else '{}' end,
         jsonb_strip_nulls(jsonb_build_object(${FACTS}))
       from generate_series(1, $1)
       returning id
     ), rated as (
       insert into private.park_ratings (park_id, ranks) select id, array[0, 0, (random() * 3)::int, (random() * 5)::int, 1 + (random() * 9)::int]
       from made where id % 2 = 0
     )
     insert into public.park_translations (park_id, language, name, city, address)
     select id, 'en',
       (array['Dog Park','Dog Garden','Dog Run','Meadow','Grove','Green'])[1 + id % 6] || ' ' ||
       (array['HaYarkon','Ben Gurion','Weizmann','Sokolov','Herzl','Jabotinsky','Rothschild','HaNassi','Bialik','Dizengoff','Arlozorov','Einstein'])[1 + (id * 7) % 12],
       (array['Tel Aviv','Haifa','Ramat Gan','Herzliya','Raanana','Netanya','Jerusalem','Beer Sheva','Holon','Rishon LeZion','Ashdod','Nazareth','Kfar Saba','Modiin'])[1 + (id * 5) % 14],
       (array['HaYarkon','Ben Gurion','Weizmann','Sokolov','Herzl','Jabotinsky','Rothschild','HaNassi','Bialik','Dizengoff','Arlozorov','Einstein'])[1 + (id * 11) % 12] || ' ' || (1 + (id * 13) % 120)
     from made`,
    [PARKS],
  );
}

export async function run(): Promise<Result | Result[]> {
  const host = await startBenchHost();
  await addParks(host);
  const url = `${host.url}/storage/v1/object/public/parks/parks-en.json`;
  let list: unknown[] = [];
  // Waits until the host has published the changed list.
  for (let tries = 0; tries < 100 && list.length < PARKS; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    list = await (await fetch(`${url}?${tries}`, { cache: 'no-store' })).json();
  }
  if (list.length < PARKS) throw new Error(`Only ${list.length} parks were published`);
  const bytes = Buffer.from(JSON.stringify(list));
  const perThousand = (size: number) => round(((size / list.length) * 1000) / 1000);
  const wire = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  const sent = perThousand(Number(wire.headers.get('content-length') ?? Number.NaN));
  const gzip = perThousand(gzipSync(bytes, { level: 9 }).length);
  return { goal: 'park list', figure: sent, control: gzip };
}
