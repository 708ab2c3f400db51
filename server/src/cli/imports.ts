// `packpark imports list|undo`: lists imports and reverts them.
import type pg from 'pg';
import { callDesk } from '#/cli/call-desk.ts';
import type { Command } from '#/cli/command.ts';
import { printable } from '#/cli/printable.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { requireNewestSchema } from '#/host/db/migrate.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { readSettings } from '#/product/settings.ts';

interface Import {
  id: string;
  imported_at: Date;
  file: string;
  added: number;
  changed: number;
  undone_at: Date | null;
  can_undo: boolean;
}

async function list(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Import>('select * from public.desk_imports()');
  for (const { id, imported_at, file, added, changed, undone_at, can_undo } of rows) {
    const time = imported_at.toISOString().slice(0, 16).replace('T', ' ');
    const state = undone_at ? '  undone' : can_undo ? '' : '  too old to undo';
    console.log(`${id}  ${time}  ${printable(file)}: ${added} new, ${changed} changed${state}`);
  }
  if (rows.length === 0) console.log('Nothing was imported.');
}

async function undo(client: pg.Client, id: string): Promise<void> {
  const result = await callDesk(client, 'public.desk_undo_import($1::uuid)', [id]);
  if (result === null) throw new StartError(`There is nothing to undo about ${id}.`);
  const { removed, restored, kept } = result as Record<string, number>;
  console.log(`Undid ${id}: ${removed} parks removed, ${restored} as they were before.`);
  if (kept) console.log(`Users changed or used ${kept} of them since then: these stay.`);
}

export const command: Command = {
  summary: 'list imports of parks, and undo one',
  help: `
Usage: npx packpark imports list
       npx packpark imports undo IMPORT

"undo" removes the parks that an import added and restores those that it changed, for 30 days. Values that
users changed since then stay, and so do new parks that users visited, reviewed or saved.`,
  async run({ positionals: [action, id] }) {
    if (action !== 'list' && (action !== 'undo' || id === undefined))
      throw new StartError('Name the action: packpark imports list, or undo IMPORT.');
    await withDatabase(readSettings(process.env), async (client) => {
      await requireNewestSchema(client);
      await (action === 'list' ? list(client) : undo(client, id ?? ''));
    });
  },
};
