// `packpark desk list|approve|reject|undo|merge|close|relist|primary`: the moderation queue of /desk on the command line.
import type pg from 'pg';
import { callDesk } from '#/cli/call-desk.ts';
import type { Command } from '#/cli/command.ts';
import { printable } from '#/cli/printable.ts';
import { withHost } from '#/cli/with-host.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { readSettings } from '#/product/settings.ts';
import { DECISION_REASONS } from '../../../shared/enums.ts';

interface Item {
  type: string;
  id: string;
  since: Date;
  overdue: boolean;
  context: Record<string, unknown>;
}

/** Formats an item for operators: its texts and numbers, without fields that only the desk's screen needs. */
function describe(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(describe).join('; ');
  return Object.entries(value)
    .filter(
      ([key, inner]) => inner !== null && !['id', 'history', 'nearby', 'status'].includes(key),
    )
    .map(([key, inner]) => `${key} ${describe(inner)}`)
    .join(', ');
}

async function list(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Item>(
    `select w.type, w.id, w.since, w.overdue,
       private.item_of(w.type, w.id) - '{type,id,park_id,since,urgent,overdue,reasons}'::text[] as context
     from private.waiting_items() w order by w.since, w.type, w.id`,
  );
  for (const { type, id, since, overdue, context } of rows) {
    const time = since.toISOString().slice(0, 16).replace('T', ' ');
    console.log(`${type}:${printable(id)}  ${time}${overdue ? '  OVERDUE' : ''}`);
    for (const [part, value] of Object.entries(context))
      if (value !== null && part !== 'nearby')
        console.log(`    ${part}: ${printable(describe(value))}`);
  }
  if (rows.length === 0) console.log('The queue is empty.');
}

/** Changes a park that has no pending item in the queue. */
async function changePark(client: pg.Client, values: unknown[], done: string): Promise<void> {
  const result = (await callDesk(
    client,
    'public.desk_change_park($1::bigint, $2, $3::bigint)',
    values,
  )) as object;
  const counts = Object.entries(result).map(([what, n]) =>
    what === 'decision' ? String(n) : `${n} ${what.replace('_', ' ')}`,
  );
  console.log(`${done}: ${counts.join(', ')}`);
}

const CHANGES: Record<string, (client: pg.Client, names: string[]) => Promise<void>> = {
  merge: (client, [from = '', into = '']) =>
    changePark(client, [from, 'merge', into], `Merged ${from} into ${into}`),
  close: (client, [park = '', why = 'closed']) =>
    changePark(client, [park, why, null], `Closed ${park}`),
  relist: (client, [park = '']) => changePark(client, [park, 'relist', null], `Listed ${park}`),
  async primary(client, [path = '']) {
    if ((await callDesk(client, 'public.choose_primary_photo($1)', [path])) !== true)
      throw new StartError(`There is no approved photo ${path}.`);
    console.log(`Shows ${path} first`);
  },
};

export const command: Command = {
  summary: 'list and decide contributions and reports, and undo decisions',
  help: `
Usage: npx packpark desk list
       npx packpark desk approve ITEM...
       npx packpark desk reject ITEM... --reason REASON
       npx packpark desk undo DECISION...
       npx packpark desk merge PARK INTO-PARK            merges a duplicate into another park
       npx packpark desk close PARK [closed|notDogPark]  removes a park from the map
       npx packpark desk relist PARK                     lists it on the map again
       npx packpark desk primary PHOTO                   shows an approved photo first

"list" shows the pending items, oldest first, each with its ITEM such as park:17. "approve" publishes a contribution
or keeps reported content; "reject" does the opposite, and notifies the user of the reason in their language.
PARK is the number of a park. All actions except "primary" print a DECISION, which can be undone for 30 days.
Moderators do the same at /desk.

Options:
  --reason REASON   ${DECISION_REASONS.join(', ')}`,
  options: { reason: { type: 'string' } },
  async run({ values, positionals: [action = '', ...items] }) {
    const settings = readSettings(process.env);
    if (action === 'list') return withDatabase(settings, list);
    const change = Object.hasOwn(CHANGES, action) ? CHANGES[action] : undefined;
    if ((!change && !['approve', 'reject', 'undo'].includes(action)) || items.length === 0)
      throw new StartError(
        'Name the action: packpark desk list, approve ITEM, reject ITEM, undo DECISION, merge, close, relist or primary.',
      );
    const reason = values.reason ?? null;
    await withHost(settings, async (host, client) => {
      await change?.(client, items);
      for (const item of change ? [] : items) {
        const [, type, id] = /^([a-z_]+):(.+)$/.exec(item) ?? [];
        if (action === 'undo') {
          const undone = await callDesk(client, 'public.desk_undo($1::uuid)', [item]);
          if (undone !== true) throw new StartError(`There is nothing to undo about ${item}.`);
          console.log(`Undid ${item}`);
        } else {
          if (id === undefined)
            throw new StartError(`${item} is not an item: see "packpark desk list".`);
          const approve = action === 'approve';
          const decision = await callDesk(client, 'public.desk_decide($1, $2, $3, $4)', [
            type,
            id,
            approve,
            approve ? null : reason,
          ]);
          console.log(`${approve ? 'Approved' : 'Rejected'} ${item}: ${String(decision)}`);
        }
      }
      await host.functions.run('move-photos');
      await host.functions.run('publish-parks');
    });
  },
};
