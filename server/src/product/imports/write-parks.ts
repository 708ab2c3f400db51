// Writes imported parks by sets: staged, matched with those that are known, compared, and then written in one transaction.
//
// A value that people corrected differs from what the source said last (private.park_imports): it stays, and where the
// source now says something new, too, the two are a conflict for the operator.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { PARK_FACT_KEYS, PARK_FACTS } from '../../../../shared/park-facts.ts';
import type { Place } from '#/product/imports/geometry.ts';
import { FACT_COLUMNS } from '#/product/imports/park-row.ts';
import type { NumberedPark } from '#/product/imports/read-parks.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** Parks written by one statement: progress is told between them. */
const BATCH = 5000;
/** Any constant will do that is the same in all processes, and in desk_undo_import. */
const IMPORT_LOCK = 7_276_003;
/** Metres within which a park without an id of its own, or with a new one, is the park that is known there. */
const NEAR = 25;
/** Metres within which a park with the same id from a source that was spelled differently is the same. */
const SAME_ID_NEAR = 200;

interface Conflict {
  park: string;
  name: string;
  what: string;
  /** What people made of it, which stays. */
  ours: string;
  theirs: string;
}

export interface Written {
  new: number;
  changed: number;
  unchanged: number;
  conflicts: Conflict[];
  /** Parks of the same source, in the area of the file, that are not in it any more; they stay. */
  vanished: { park: string; name: string; ref: string }[];
}

interface WriteOptions {
  /** Of a park that is new. */
  status: 'approved' | 'pending';
  dryRun: boolean;
  /** By which name the import is listed. */
  file: string;
  /** Public shelters, as far as they are known once all parks are read. */
  shelters: readonly Place[];
  progress(done: string): void;
}

/** What COPY's text format needs escaped; JSON itself has no raw tabs or line ends. */
const copyLine = ({ row, park }: NumberedPark): string => {
  const { columns, ...rest } = park;
  return `${row}\t${JSON.stringify({ ...rest, ...columns }).replaceAll('\\', '\\\\')}\n`;
};

async function* inChunks(parks: AsyncIterable<NumberedPark>, progress: WriteOptions['progress']) {
  let chunk = '';
  let count = 0;
  for await (const numbered of parks) {
    chunk += copyLine(numbered);
    count += 1;
    if (count % 500 === 0) {
      progress(`${count} parks read`);
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

/** One source however it is spelled; by signs that go, because what a letter is depends on the database's locale. */
const KEY = (source: string) =>
  `regexp_replace(lower(${source}), '[[:space:][:punct:]]+', '', 'g')`;
const METRES = (a: string, b: string) =>
  `111195 * sqrt((${a}.lat - ${b}.lat) ^ 2 + ((${a}.long - ${b}.long) * cos(radians(${a}.lat))) ^ 2)`;
const CELL = (degree: string) => `floor(${degree} * 1000)::integer`;

/** Temporary tables: nobody else sees or waits for them. */
const STAGE = `
  set work_mem = '64MB';
  create temp table staged_rows (number integer, park jsonb);
  create temp table known as
    select p.id, p.source, p.source_ref, ${KEY('p.source')} as key, p.lat, p.long, p.status, false as taken
    from public.parks p where p.source <> 'user' and p.source_ref is not null;
  create index on known (source_ref);
  create index on known ((${CELL('lat')}), (${CELL('long')}));
  analyze known;`;

const READ_STAGED = `
  create temp table staged as
    select s.number, r.*, ${KEY('r.source')} as key, s.park -> 'texts' as texts, null::bigint as park_id
    from staged_rows s, jsonb_to_record(s.park) as r (source text, source_ref text, lat double precision, long double precision);
  create index on staged (number);
  analyze staged_rows; analyze staged;`;

const READ_SHELTERS = `
  create temp table shelters as
    select lat, long, point(long, lat) as place from unnest($1::double precision[], $2::double precision[]) s (lat, long)`;
const INDEX_SHELTERS = `create index on shelters using gist (place); analyze shelters`;
// The one that is nearest by degrees is not always the nearest, but no nearer one is further away than it.
const MEASURE_SHELTERS = `
  update staged_rows r set park = jsonb_set(r.park, '{facts,shelter_distance}', to_jsonb(round(nearest.metres)::text))
  from staged s
  cross join lateral (
    select ${METRES('s', 'n')} as metres from shelters n order by n.place <-> point(s.long, s.lat) limit 1
  ) candidate
  cross join lateral (
    select candidate.metres / 111195 + 0.00001 as lat, candidate.metres / (111195 * cos(radians(s.lat))) + 0.00001 as long
  ) reach
  cross join lateral (
    select min(${METRES('s', 'n')}) as metres from shelters n
    where n.place <@ box(point(s.long - reach.long, s.lat - reach.lat), point(s.long + reach.long, s.lat + reach.lat))
  ) nearest
  where r.number = s.number and not r.park -> 'facts' ? 'shelter_distance' and nearest.metres <= ${PARK_FACTS.shelter_distance.to}`;

/** Each step pairs rows and known parks that have no partner yet, the nearest ones first. */
const pair = (candidates: string): string => `
  with candidates as (${candidates}),
  of_rows as (select distinct on (number) * from candidates order by number, rank, id),
  pairs as (select distinct on (id) * from of_rows order by id, rank, number),
  marked as (update known k set taken = true from pairs where k.id = pairs.id)
  update staged s set park_id = pairs.id from pairs where s.number = pairs.number`;

const MATCH = [
  // The same id in the same source. OpenStreetMap's ids are the same however its name is spelled.
  pair(`
    select s.number, k.id, (k.source <> s.source)::integer as rank from staged s join known k using (source_ref)
    where k.key = s.key or s.source_ref ~ '^(node|way|relation)/\\d+$'`),
  // The same id at the same place, from a source that has another name now.
  pair(`
    select s.number, k.id, ${METRES('s', 'k')} as rank from staged s join known k using (source_ref)
    where s.park_id is null and not k.taken and ${METRES('s', 'k')} <= ${SAME_ID_NEAR}`),
  // Moved a little without an id of its own, or drawn anew under another one.
  pair(`
    select s.number, k.id, ${METRES('s', 'k')} as rank
    from (
      select s.*, ${CELL('s.lat')} + dy as y, ${CELL('s.long')} + dx as x
      from staged s, generate_series(-1, 1) dy, generate_series(-1, 1) dx where s.park_id is null
    ) s
    join known k on ${CELL('k.lat')} = s.y and ${CELL('k.long')} = s.x
    where not k.taken and ${METRES('s', 'k')} <= ${NEAR}
      and (k.key = s.key or (k.source_ref like '@%' and s.source_ref like '@%'))`),
];

/** What a column of public.parks holds where it is not known. */
const knownValue = (alias: string, column: string): string =>
  column === 'materials' ? `nullif(${alias}.materials, '{}')` : `${alias}.${column}`;

/**
 * The SQL of one value: what it becomes, whether that is a conflict, and what the source counts as having said.
 * @param byPeople whether it is noted that people said it, also where the source once said the same
 */
function decide(ours: string, base: string, theirs: string, byPeople = 'false') {
  const corrected = `(${ours} is not null and (${ours} is distinct from ${base} or ${byPeople}))`;
  const conflict = `(${corrected} and ${theirs} is not null and ${theirs} is distinct from ${base} and ${theirs} is distinct from ${ours})`;
  return {
    ours,
    theirs,
    value: `case when ${theirs} is null or ${corrected} then ${ours} else ${theirs} end`,
    conflict,
    // A conflict is told again by each import until somebody decides it.
    said: `case when ${theirs} is null or ${conflict} then ${base} else ${theirs} end`,
  };
}
type Decision = ReturnType<typeof decide>;

const saidByPeople = (key: string) =>
  `coalesce(p.fact_sources -> '${key}' ->> 0 = 'people', false)`;
const decideColumn = (column: string) =>
  decide(knownValue('p', column), `b.${column}`, `s.${column}`, saidByPeople(column));
const decideFact = (key: string) =>
  decide(
    `(p.facts ->> '${key}')`,
    `(b.facts ->> '${key}')`,
    `(s.facts ->> '${key}')`,
    saidByPeople(key),
  );
const COLUMN_DECISIONS = FACT_COLUMNS.map((column) => [column, decideColumn(column)] as const);
const FACT_DECISIONS = PARK_FACT_KEYS.map((key) => [key, decideFact(key)] as const);

const objectOf = (entries: (readonly [key: string, value: string])[]) =>
  `jsonb_strip_nulls(jsonb_build_object(${entries.map(([key, value]) => `'${key}', ${value}`).join(',\n      ')}))`;
const factsAs = (part: 'value' | 'said') =>
  objectOf(FACT_DECISIONS.map(([key, decision]) => [key, decision[part]]));
/** Most parks have few facts, and many files say none: then nothing is taken apart. */
const SAYS_FACTS = `(s.facts <> '{}')`;

/**
 * Who said a fact where it was not the source of this import: people, or the source at an earlier time. What the source
 * says anew is its own again.
 */
const FACT_SOURCES = objectOf(
  [...COLUMN_DECISIONS, ...FACT_DECISIONS].map(([key, { ours, theirs, value }]) => [
    key,
    `case when ${ours} is null or (${value}) is distinct from ${ours} then null
      else coalesce(p.fact_sources -> '${key}', case when ${theirs} is null and p.source_date < s.source_date then jsonb_build_array(p.source, p.source_date) end) end`,
  ]),
);

const conflictOf = (what: string, { conflict, ours, theirs }: Decision) =>
  `case when ${conflict} then array['${what}', ${ours}::text, ${theirs}::text]::text end`;

const TEXT_COLUMNS = ['name', 'city', 'address'] as const;
const decideText = (column: string) =>
  decide(`nullif(t.${column}, '')`, `nullif(b.${column}, '')`, `nullif(s.${column}, '')`);
/** The place is one value: latitude and longitude are corrected together. */
const placeOf = (alias: string) => `point(${alias}.lat, ${alias}.long)::text`;
const PLACE = decide(placeOf('p'), placeOf('b'), placeOf('s'));
const PLACE_IS_THEIRS = `(p.id is null or (${PLACE.value}) = ${placeOf('s')})`;

const COMPARE_PARKS = `
  create temp table merged as
  select s.number, p.id, p.xmin as seen, s.source, s.source_ref, s.licence, s.source_date,
    coalesce(s.outline, p.outline) as outline,
    case when ${PLACE_IS_THEIRS} then s.lat else p.lat end as lat,
    case when ${PLACE_IS_THEIRS} then s.long else p.long end as long,
    ${COLUMN_DECISIONS.map(([column, { value }]) => `${value} as ${column},`).join('\n    ')}
    case when ${SAYS_FACTS} then ${factsAs('value')} else coalesce(p.facts, '{}') end as facts,
    case when p.fact_sources <> '{}' or p.source_date < s.source_date then ${FACT_SOURCES} else '{}' end as fact_sources,
    ${objectOf([
      ['lat', `case when ${PLACE.conflict} then b.lat else s.lat end`],
      ['long', `case when ${PLACE.conflict} then b.long else s.long end`],
      ...COLUMN_DECISIONS.map(([column, { said }]) => [column, said] as const),
      ['facts', `case when ${SAYS_FACTS} then ${factsAs('said')} else b.facts end`],
    ])} as said,
    array_remove(array[
      case when ${PLACE.conflict} then array['place', concat_ws(',', p.lat, p.long), concat_ws(',', s.lat, s.long)]::text end,
      ${COLUMN_DECISIONS.map((decided) => conflictOf(...decided)).join(',\n      ')}
    ] || case when ${SAYS_FACTS} then array[
      ${FACT_DECISIONS.map((decided) => conflictOf(...decided)).join(',\n      ')}
    ] end, null) as conflicts,
    false as written
  from (select staged.number, staged.park_id, r.* from staged join staged_rows using (number),
    jsonb_populate_record(null::public.parks, staged_rows.park) r) s
  left join public.parks p on p.id = s.park_id
  left join private.park_imports i on i.park_id = p.id
  left join lateral jsonb_populate_record(null::public.parks, i.said) b on true;
  create unique index on merged (number);
  analyze merged`;

const COMPARE_TEXTS = `
  create temp table merged_texts as
  select s.number, s.park_id, s.language, t.xmin as seen, t.park_id is null as added,
    ${TEXT_COLUMNS.map((column) => `coalesce(${decideText(column).value}, '') as ${column},`).join('\n    ')}
    (${TEXT_COLUMNS.map((column) => `t.${column}`).join(', ')}) is distinct from
      (${TEXT_COLUMNS.map((column) => `coalesce(${decideText(column).value}, '')`).join(', ')}) as differs,
    jsonb_strip_nulls(jsonb_build_object(
      ${TEXT_COLUMNS.map((column) => `'${column}', ${decideText(column).said}`).join(',\n      ')}
    )) as said,
    array_remove(array[
      ${TEXT_COLUMNS.map((column) => `case when ${decideText(column).conflict} then array['${column} (' || s.language || ')', t.${column}, s.${column}]::text end`).join(',\n      ')}
    ], null) as conflicts
  from (
    select staged.number, staged.park_id, x.key::public.language as language, r.*
    from staged, jsonb_each(staged.texts) x, jsonb_to_record(x.value) as r (name text, city text, address text)
  ) s
  left join public.park_translations t on t.park_id = s.park_id and t.language = s.language
  left join private.park_imports i on i.park_id = s.park_id
  left join lateral jsonb_to_record(i.said -> 'texts' -> s.language::text) as b (name text, city text, address text) on true;
  create index on merged_texts (number);
  analyze merged_texts`;

/** Whether a park's own columns change; a newer date alone does not. */
const FOLLOWED = 'source source_ref licence outline lat long facts fact_sources'.split(' ');
const PARK_DIFFERS = `(${[...FOLLOWED.map((column) => `p.${column}`), ...FACT_COLUMNS.map((column) => knownValue('p', column))].join(', ')})
  is distinct from (${[...FOLLOWED, ...FACT_COLUMNS].map((column) => `m.${column}`).join(', ')})`;

const COUNT = `
  select count(*) filter (where m.id is null)::integer as new,
    count(*) filter (where m.id is not null and (${PARK_DIFFERS} or coalesce(x.differs, false)))::integer as changed,
    count(*)::integer as all
  from merged m left join public.parks p on p.id = m.id
  left join (select number, bool_or(differs) as differs from merged_texts group by number) x using (number)`;

const CONFLICTS = `
  select c.id::text as park, coalesce(private.park_name(c.id, 'en'), '') as name,
    (c.conflict::text[])[1] as what, (c.conflict::text[])[2] as ours, (c.conflict::text[])[3] as theirs
  from (
    select number, id, unnest(conflicts) as conflict from merged where cardinality(conflicts) > 0
    union all
    select number, park_id, unnest(conflicts) from merged_texts where cardinality(conflicts) > 0
  ) c order by c.number, what`;

const VANISHED = `
  select k.id::text as park, coalesce(private.park_name(k.id, 'en'), '') as name, k.source_ref as ref
  from known k join (
    select key, min(lat) as south, max(lat) as north, min(long) as west, max(long) as east from staged group by key
  ) area on area.key = k.key and k.lat between south and north and k.long between west and east
  where not k.taken and k.status <> 'rejected' order by k.id`;

const WRITTEN_COLUMNS = ['source_date', ...FOLLOWED, ...FACT_COLUMNS];
const written = (column: string) =>
  column === 'materials' ? `coalesce(m.materials, '{}')` : `m.${column}`;
const BETWEEN = 'm.number > $1 and m.number <= $2';

/** By batches of row numbers; new parks first, because nobody can wait for those. */
const ADD_PARKS = `
  with added as (
    insert into public.parks (status, ${WRITTEN_COLUMNS.join(', ')})
    select $3::public.park_status, ${WRITTEN_COLUMNS.map(written).join(', ')} from merged m
    where ${BETWEEN} and m.id is null order by m.number
    returning id, source, source_ref
  )
  update merged m set id = a.id, written = true from added a
  where ${BETWEEN} and m.source = a.source and m.source_ref = a.source_ref`;
const ADD_TEXTS = `
  insert into public.park_translations (park_id, language, name, city, address)
  select m.id, x.language, x.name, x.city, x.address from merged m join merged_texts x using (number)
  where ${BETWEEN} and x.added on conflict do nothing`;
// Only what is as it was when it was compared: what somebody changes meanwhile is left to the next import.
const CHANGE_PARKS = `
  update public.parks p set ${WRITTEN_COLUMNS.map((column) => `${column} = ${written(column)}`).join(', ')}
  from merged m where ${BETWEEN} and p.id = m.id and not m.written and p.xmin = m.seen and ${PARK_DIFFERS}`;
const CHANGE_TEXTS = `
  update public.park_translations t set ${TEXT_COLUMNS.map((column) => `${column} = m.${column}`).join(', ')}
  from merged_texts m where ${BETWEEN} and t.park_id = m.park_id and t.language = m.language
    and m.differs and t.xmin = m.seen`;
const NOTE_SAID = `
  insert into private.park_imports as i (park_id, said)
  select m.id, n.said
  from merged m
  join (select number, jsonb_object_agg(language, said) as texts from merged_texts m where ${BETWEEN} group by number) x using (number)
  cross join lateral (select m.said || jsonb_build_object('texts', x.texts) as said) n
  left join private.park_imports o on o.park_id = m.id
  where ${BETWEEN} and o.said is distinct from n.said
  on conflict (park_id) do update set said = excluded.said`;

/** What an undo needs: parks as they were, and then as the import left them; of those that it added only a hash. */
const KEEP_BEFORE = `
  insert into before_import (park_id, was)
  select m.id, private.import_snapshot(m.id) from merged m join public.parks p on p.id = m.id
  where ${BETWEEN} and (${PARK_DIFFERS} or exists (select from merged_texts x where x.number = m.number and x.differs))`;
const KEEP_CHANGE = `
  insert into private.import_changes (import_id, park_id, before, after)
  select $3::uuid, m.id, b.was, case when m.written then to_jsonb(md5(s.present::text)) else s.present end
  from merged m left join before_import b on b.park_id = m.id
  cross join lateral (select private.import_snapshot(m.id) as present) s
  where ${BETWEEN} and (m.written or b.was is distinct from s.present and b.was is not null)`;

const TEMPORARY = [
  'before_import',
  'merged_texts',
  'merged',
  'shelters',
  'staged',
  'known',
  'staged_rows',
];

async function inBatches(
  client: pg.ClientBase,
  { statements, last, values = [] }: { statements: string[]; last: number; values?: unknown[] },
  done: (row: number) => void,
): Promise<void> {
  for (let row = 0; row < last; row += BATCH) {
    for (const statement of statements)
      await client.query(statement, [
        row,
        row + BATCH,
        ...(statement.includes('$3') ? values : []),
      ]);
    done(Math.min(last, row + BATCH));
  }
}

async function write(
  client: pg.ClientBase,
  { status, file, progress }: WriteOptions,
  { added, changed }: { added: number; changed: number },
): Promise<void> {
  const differs = added + changed > 0;
  const { rows } = await client.query<{ last: number | null }>(
    'select max(number) as last from merged',
  );
  const last = rows[0]?.last ?? 0;
  await client.query('begin');
  try {
    let changes = { statements: [NOTE_SAID], last, values: [] as unknown[] };
    if (differs) {
      await client.query('create temp table before_import (park_id bigint primary key, was jsonb)');
      const additions = { statements: [KEEP_BEFORE, ADD_PARKS, ADD_TEXTS], last, values: [status] };
      await inBatches(client, additions, (row) =>
        progress(`new parks written: ${row} of ${last} rows`),
      );
      const { rows: imports } = await client.query<{ id: string }>(
        'insert into private.imports (file, added, changed) values ($1, $2, $3) returning id',
        [file, added, changed],
      );
      changes = {
        statements: [CHANGE_PARKS, CHANGE_TEXTS, NOTE_SAID, KEEP_CHANGE],
        last,
        values: [imports[0]?.id],
      };
    }
    await inBatches(client, changes, (row) => progress(`changes written: ${row} of ${last} rows`));
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Says of each park how far the nearest public shelter is, where its source does not say it itself. */
async function measureShelters(client: pg.ClientBase, shelters: readonly Place[]): Promise<void> {
  await client.query(READ_SHELTERS, [
    shelters.map(({ lat }) => lat),
    shelters.map(({ long }) => long),
  ]);
  await client.query(INDEX_SHELTERS);
  await client.query(MEASURE_SHELTERS);
}

/**
 * Writes parks, all or none; readers and people who add parks wait for nothing.
 * @param parks read while they are staged, a few hundred at a time
 * @throws StartError while another import runs
 */
export async function writeParks(
  client: pg.ClientBase,
  parks: AsyncIterable<NumberedPark>,
  options: WriteOptions,
): Promise<Written> {
  const { rows: locks } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_lock($1) as free',
    [IMPORT_LOCK],
  );
  if (!locks[0]?.free)
    throw new StartError('Another import is running on this database: wait until it is done.');
  try {
    await client.query(STAGE);
    await pipeline(
      Readable.from(inChunks(parks, options.progress)),
      client.query(copyFrom('copy staged_rows from stdin')),
    );
    await client.query(READ_STAGED);
    if (options.shelters.length > 0) await measureShelters(client, options.shelters);
    for (const statement of MATCH) await client.query(statement);
    options.progress('compared with the parks that are known');
    await client.query(COMPARE_PARKS);
    await client.query(COMPARE_TEXTS);
    const { rows: counts } = await client.query<{ new: number; changed: number; all: number }>(
      COUNT,
    );
    const { rows: conflicts } = await client.query<Conflict>(CONFLICTS);
    const { rows: vanished } = await client.query<Written['vanished'][number]>(VANISHED);
    const { new: added = 0, changed = 0, all = 0 } = counts[0] ?? {};
    if (!options.dryRun) await write(client, options, { added, changed });
    return { new: added, changed, unchanged: all - added - changed, conflicts, vanished };
  } finally {
    await client.query(`drop table if exists ${TEMPORARY.join(', ')}`).catch(() => undefined);
    await client.query('reset work_mem').catch(() => undefined);
    await client.query('select pg_advisory_unlock($1)', [IMPORT_LOCK]).catch(() => undefined);
  }
}
