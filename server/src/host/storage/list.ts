// Lists objects as folders and files, one level at a time (v1) or by cursor (v2). The caller's policies apply.
import * as v from 'valibot';
import type { Call, CallersStorage } from '#/host/storage/context.ts';

const whole = (low: number, high: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(low), v.maxValue(high));
const order = v.optional(v.nullable(v.picklist(['asc', 'desc'])), 'asc');

const listSchema = v.object({
  prefix: v.pipe(v.optional(v.string(), ''), v.maxLength(1024)),
  limit: v.optional(whole(1, 1000), 100),
  offset: v.optional(whole(0, 1_000_000), 0),
  search: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1024))), ''),
  sortBy: v.optional(
    v.object({
      column: v.optional(
        v.picklist(['name', 'updated_at', 'created_at', 'last_accessed_at']),
        'name',
      ),
      order,
    }),
    {},
  ),
});

// Unlike LIKE, `^@` (starts with) needs no escaping, and it uses the index of names in "C" order.
const LEVEL = `
  with below as (
    select id, substr(name, length($2) + 1) as rest, updated_at, created_at, last_accessed_at, metadata
    from storage.objects where bucket_id = $1 and name ^@ $2
  ), entries as (
    select distinct split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
      null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
    from below where strpos(rest, '/') > 0
    union all
    select rest, id, updated_at, created_at, last_accessed_at, metadata
    from below where strpos(rest, '/') = 0 and rest <> ''
  )
  select name, id, updated_at, created_at, last_accessed_at, metadata from entries
  where lower(name) ^@ lower($3)`;

/** Lists one level below a prefix: first folders, whose ID is null, then files. */
export async function listLevel({ query }: CallersStorage, { bucket, body }: Call) {
  const requested = await body(listSchema);
  const path = requested.prefix.replace(/^\/+/, '');
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  const { column } = requested.sortBy;
  const direction = requested.sortBy.order ?? 'asc';
  const { rows } = await query(
    `${LEVEL} order by (id is not null), ${column} ${direction}, name ${direction} limit $4 offset $5`,
    [bucket, prefix, requested.search ?? '', requested.limit, requested.offset],
  );
  return rows;
}

const cursorListSchema = v.object({
  prefix: v.pipe(v.optional(v.string(), ''), v.maxLength(1024)),
  limit: v.optional(whole(1, 1000), 1000),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(4096))),
  with_delimiter: v.optional(v.boolean(), false),
  sortBy: v.optional(v.object({ column: v.optional(v.picklist(['name']), 'name'), order }), {}),
});

/** Lists objects (and, with a delimiter, folders) by name, continuing at a cursor. */
export async function listByCursor({ query }: CallersStorage, { bucket, body }: Call) {
  const requested = await body(cursorListSchema);
  const direction = requested.sortBy.order ?? 'asc';
  const after = requested.cursor
    ? Buffer.from(requested.cursor, 'base64url').toString('utf8')
    : null;
  const { rows } = await query<{ id: string | null; key: string }>(
    `with found as (
         select case when $4 and strpos(substr(name, length($2) + 1), '/') > 0
             then $2 || split_part(substr(name, length($2) + 1), '/', 1) || '/' else name end as key, *
         from storage.objects where bucket_id = $1 and name ^@ $2
       )
       select distinct on (key) key, case when key = name then id end as id,
         updated_at, created_at, last_accessed_at, metadata, key as name
       from found where $3::text is null or key ${direction === 'asc' ? '>' : '<'} $3
       order by key ${direction} limit $5 + 1`,
    [
      bucket,
      requested.prefix.replace(/^\/+/, ''),
      after,
      requested.with_delimiter,
      requested.limit,
    ],
  );
  const page = rows.slice(0, requested.limit);
  const last = page.at(-1);
  const hasNext = rows.length > page.length && last !== undefined;
  return {
    hasNext,
    folders: page.filter(({ id }) => id === null).map(({ key }) => ({ name: key, key })),
    objects: page.filter(({ id }) => id !== null),
    ...(hasNext ? { nextCursor: Buffer.from(last.key).toString('base64url') } : {}),
  };
}
