// `packpark parks pending|approve|reject`: what users submitted, for a moderator to decide.
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { printable } from '#/cli/printable.ts';
import { serviceClient, withHost } from '#/cli/with-host.ts';
import { withDatabase } from '#/host/db/connect.ts';
import { readSettings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { isUuid } from '#/host/lib/uuid.ts';
import type { Host } from '#/main.ts';

const PENDING = `
  select p.id::text as id, p.created_at, concat_ws(', ', t.name, t.address, t.city, 'at ' || p.lat || ',' || p.long) as what
  from public.parks p
  left join lateral (
    select * from public.park_translations x where x.park_id = p.id order by x.language = 'en' desc limit 1
  ) t on true
  where p.status = 'pending'
  union all
  select s.id::text, s.created_at, concat_ws(', ', 'for park ' || s.park_id, 'size ' || s.size, 'ground ' || array_to_string(s.materials, '+'),
    'shade ' || s.shade, 'facilities ' || s.has_facilities)
  from public.park_suggestions s where s.status = 'pending'
  union all
  select f.path, f.created_at, 'photo for park ' || f.park_id from public.park_photos f where f.status = 'pending'
  order by 2`;

async function listPending(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string; created_at: Date; what: string }>(PENDING);
  for (const { id, created_at, what } of rows)
    console.log(
      `${printable(id)}  ${created_at.toISOString().slice(0, 16).replace('T', ' ')}  ${printable(what)}`,
    );
  if (rows.length === 0) console.log('Nothing is pending.');
}

/** Moving a pending photo's file into the public bucket approves it. @returns whether it was pending */
async function publishPhoto(host: Host, path: string): Promise<boolean> {
  const { error } = await serviceClient(host)
    .storage.from('pending-photos')
    .move(path, path, { destinationBucket: 'parks' });
  if (error && (error as { statusCode?: string }).statusCode !== '404') throw error;
  return !error;
}

/** What an id from the list is: a park's number, a suggestion's UUID, or a photo's path. */
async function decide(host: Host, client: pg.Client, id: string, approve: boolean): Promise<void> {
  const rpc = /^\d{1,18}$/.test(id)
    ? 'moderate_park'
    : isUuid(id)
      ? 'moderate_suggestion'
      : 'moderate_photo';
  const moved = rpc === 'moderate_photo' && approve && (await publishPhoto(host, id));
  const { rows } = await client.query<{ known: boolean }>(`select public.${rpc}($1, $2) as known`, [
    id,
    approve,
  ]);
  if (!moved && !rows[0]?.known)
    throw new StartError(`There is nothing with the id ${id}: see "packpark parks pending".`);
  if (rpc === 'moderate_photo' && !approve) {
    for (const bucket of ['pending-photos', 'parks']) {
      const { error } = await serviceClient(host).storage.from(bucket).remove([id]);
      if (error) throw error;
    }
  }
  console.log(`${approve ? 'Approved' : 'Rejected'} ${id}`);
}

export const command: Command = {
  summary: 'decide on what users submit: parks, details, photos',
  help: `
Usage: npx packpark parks pending
       npx packpark parks approve ID...
       npx packpark parks reject ID...

"pending" lists the pending parks, suggested details and photos, each with its id. Only what was
approved is shown to others; the file of a rejected photo is removed.`,
  async run({ positionals: [action, ...ids] }) {
    const settings = readSettings(process.env);
    if (action === 'pending') return withDatabase(settings, listPending);
    if ((action !== 'approve' && action !== 'reject') || ids.length === 0)
      throw new StartError('Say what to do: packpark parks pending, approve ID or reject ID.');
    await withHost(settings, async (host, client) => {
      for (const id of ids) await decide(host, client, id, action === 'approve');
      await host.functions.run('publish-parks');
    });
  },
};
