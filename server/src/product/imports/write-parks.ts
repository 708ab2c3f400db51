// Writes imported parks: new ones are added, known ones (same source and reference) brought up to date, none doubled.
import type pg from 'pg';
import type { Park } from '#/product/imports/park-row.ts';

export type Written = 'new' | 'changed' | 'unchanged';

// What the source does not know stays as it is, because users may have added it. A rejected park stays rejected.
const UPSERT_PARK = `
  insert into public.parks as p (source, source_ref, licence, source_date, lat, long, size, shade, materials, has_facilities, status)
  values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9::public.ground[], '{}'), $10, $11)
  on conflict (source, source_ref) do update set
    licence = excluded.licence, source_date = excluded.source_date, lat = excluded.lat, long = excluded.long,
    size = coalesce(excluded.size, p.size), shade = coalesce(excluded.shade, p.shade),
    materials = coalesce($9, p.materials), has_facilities = coalesce(excluded.has_facilities, p.has_facilities)
  where (p.licence, p.lat, p.long) is distinct from (excluded.licence, excluded.lat, excluded.long)
    or excluded.size <> p.size or excluded.shade <> p.shade or $9 <> p.materials
    or excluded.has_facilities <> p.has_facilities
    or (p.size is null and excluded.size is not null) or (p.shade is null and excluded.shade is not null)
    or (p.has_facilities is null and excluded.has_facilities is not null)
  returning id, xmax = 0 as added`;

const UPSERT_TRANSLATION = `
  insert into public.park_translations as t (park_id, language, name, city, address) values ($1, $2, $3, $4, $5)
  on conflict (park_id, language) do update set name = excluded.name, city = excluded.city, address = excluded.address
  where (t.name, t.city, t.address) is distinct from (excluded.name, excluded.city, excluded.address)`;

/**
 * Writes one park inside the caller's transaction.
 * @param status of a park that is new
 */
export async function writePark(
  client: pg.ClientBase,
  park: Park,
  status: 'approved' | 'pending',
): Promise<Written> {
  const { rows } = await client.query<{ id: string; added: boolean }>(UPSERT_PARK, [
    park.source,
    park.sourceRef,
    park.licence,
    park.sourceDate,
    park.lat,
    park.long,
    park.size,
    park.shade,
    park.materials,
    park.hasFacilities,
    status,
  ]);
  let id = rows[0]?.id;
  if (id === undefined) {
    const known = await client.query<{ id: string }>(
      'select id from public.parks where source = $1 and source_ref = $2',
      [park.source, park.sourceRef],
    );
    id = known.rows[0]?.id;
  }
  let changed = rows.length > 0;
  for (const { language, name, city, address } of park.translations) {
    const values = [id, language, name, city, address];
    changed = ((await client.query(UPSERT_TRANSLATION, values)).rowCount ?? 0) > 0 || changed;
  }
  if (rows[0]?.added) return 'new';
  return changed ? 'changed' : 'unchanged';
}
