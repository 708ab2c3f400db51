// `packpark parks pending|approve|reject|merge|close|primary`: what users submitted, for a moderator to decide.
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
  -- What changed, side by side; what the park said when it was suggested stands there only where that has changed since.
  select s.id::text, s.created_at, concat_ws(', ', 'for park ' || s.park_id || ' (' || s.park || ')', 'by a ' || replace(s.standing::text, '_', ' who was '), (
    select string_agg(c ->> 'field' || ': ' || coalesce(nullif(c ->> 'now', ''), 'nothing') || ' -> ' || coalesce(nullif(c ->> 'suggested', ''), 'nothing')
      || case when c -> 'now' is distinct from c -> 'before' then ' (it was ' || coalesce(nullif(c ->> 'before', ''), 'nothing') || ')' else '' end, ', ')
    from jsonb_array_elements(s.changes) c))
  from public.pending_suggestions() s
  union all
  select f.path, f.created_at, case when f.of_hazard then 'photo of a hazard at park ' else 'photo for park ' end || f.park_id from public.park_photos f where f.status = 'pending'
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
  const known = await ask(client, `public.${rpc}($1, $2)`, [id, String(approve)]);
  if (!moved && !known)
    throw new StartError(`There is nothing with the id ${id}: see "packpark parks pending".`);
  if (rpc === 'moderate_photo' && !approve) {
    for (const bucket of ['pending-photos', 'parks']) {
      const { error } = await serviceClient(host).storage.from(bucket).remove([id]);
      if (error) throw error;
    }
  }
  console.log(`${approve ? 'Approved' : 'Rejected'} ${id}`);
}

/** Runs a moderator's function whose refusals are sentences for people. */
async function ask(client: pg.Client, call: string, values: string[]): Promise<unknown> {
  try {
    const { rows } = await client.query<{ answer: unknown }>(`select ${call} as answer`, values);
    return rows[0]?.answer;
  } catch (error) {
    const { code, hint } = error as pg.DatabaseError;
    throw code === 'P0001' ? new StartError(hint ?? '') : error;
  }
}

const isParkId = (id: string | undefined) => /^\d{1,18}$/.test(id ?? '');

async function merge(client: pg.Client, [from = '', into = '']: string[]): Promise<void> {
  if (!isParkId(from) || !isParkId(into))
    throw new StartError('Name two parks: packpark parks merge ID INTO_ID.');
  const moved = (await ask(client, 'public.merge_parks($1, $2)', [from, into])) as object;
  const counts = Object.entries(moved).map(([what, n]) => `${n} ${what.replace('_', ' ')}`);
  console.log(`Merged ${from} into ${into}: ${counts.join(', ')}`);
}

async function close(client: pg.Client, [id = '', reason = 'closed']: string[]): Promise<void> {
  if (!isParkId(id) || !['closed', 'notDogPark'].includes(reason))
    throw new StartError('Name a park, and why: packpark parks close ID [closed|notDogPark].');
  if (!(await ask(client, 'public.close_park($1, $2::public.park_claim)', [id, reason])))
    throw new StartError(`There is no listed park with the id ${id}.`);
  console.log(`Closed ${id}`);
}

async function choosePrimary(client: pg.Client, [path = '']: string[]): Promise<void> {
  if (!(await ask(client, 'public.choose_primary_photo($1)', [path])))
    throw new StartError(`There is no approved photo ${path}.`);
  console.log(`Shows ${path} first`);
}

const DECISIONS: Record<string, (host: Host, client: pg.Client, ids: string[]) => Promise<void>> = {
  approve: async (host, client, ids) => {
    for (const id of ids) await decide(host, client, id, true);
  },
  reject: async (host, client, ids) => {
    for (const id of ids) await decide(host, client, id, false);
  },
  merge: (_host, client, ids) => merge(client, ids),
  close: (_host, client, ids) => close(client, ids),
  primary: (_host, client, ids) => choosePrimary(client, ids),
};

export const command: Command = {
  summary: 'decide on what users submit: parks, corrections, photos',
  help: `
Usage: npx packpark parks pending
       npx packpark parks approve ID...
       npx packpark parks reject ID...
       npx packpark parks merge ID INTO_ID              one park of two: reviews, visits, favourites, photos
       npx packpark parks close ID [closed|notDogPark]  takes a park off the map
       npx packpark parks primary PHOTO                 shows an approved photo first

"pending" lists the pending parks, corrections and photos, each with its id. Only what was
approved is shown to others; the file of a rejected photo is removed. "approve" lists a closed
park again; what was merged stays with the other park.`,
  async run({ positionals: [action = '', ...ids] }) {
    const settings = readSettings(process.env);
    if (action === 'pending') return withDatabase(settings, listPending);
    const decision = Object.hasOwn(DECISIONS, action) ? DECISIONS[action] : undefined;
    if (!decision || ids.length === 0)
      throw new StartError(
        'Say what to do: packpark parks pending, approve ID, reject ID, merge ID INTO_ID, close ID or primary PHOTO.',
      );
    await withHost(settings, async (host, client) => {
      await decision(host, client, ids);
      await host.functions.run('publish-parks');
    });
  },
};
