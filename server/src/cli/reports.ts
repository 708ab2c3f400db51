// `packpark reports list|hazards|hide|dismiss`: what users reported, and what becomes of it.
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { printable } from '#/cli/printable.ts';
import { withDatabase } from '#/host/db/connect.ts';
import { readSettings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { isUuid } from '#/host/lib/uuid.ts';

interface OpenReport {
  kind: string;
  id: string;
  subject: string;
  reasons: string[];
  notes: string[];
  reports: number;
  first_at: Date;
}

async function list(client: pg.Client): Promise<void> {
  const { rows } = await client.query<OpenReport>(
    'select *, reasons::text[] from public.open_reports()',
  );
  for (const { kind, id, subject, reasons, notes, reports, first_at } of rows) {
    const day = first_at.toISOString().slice(0, 10);
    console.log(`${id}  ${kind}, reported ${reports}× since ${day} as ${reasons.join(', ')}`);
    console.log(`    ${printable(subject)}`);
    for (const note of notes) console.log(`    note: ${printable(note)}`);
  }
  if (rows.length === 0) console.log('There are no open reports.');
}

interface OpenHazard {
  id: string;
  park_id: string;
  park: string;
  hazard: string;
  standing: string;
  reported_at: Date;
  verified_at: Date | null;
  confirmations: number;
  denials: number;
  city_informed_at: Date | null;
}

async function listHazards(client: pg.Client): Promise<void> {
  const { rows } = await client.query<OpenHazard>('select * from public.open_hazards()');
  for (const hazard of rows) {
    const minute = hazard.reported_at.toISOString().slice(0, 16).replace('T', ' ');
    console.log(
      `${hazard.id}  ${hazard.hazard} at park ${hazard.park_id} (${printable(hazard.park)}), reported ${minute} by a ${hazard.standing.replace('_', ' who was ')}`,
    );
    console.log(
      `    ${hazard.verified_at ? 'verified, people were told' : 'not verified'}, confirmed ${hazard.confirmations}×, denied ${hazard.denials}×${hazard.city_informed_at ? ', the city was told' : ''}`,
    );
  }
  if (rows.length === 0) console.log('There are no open hazards.');
}

/** Runs a moderator's function that answers whether it knew the id, or how many it resolved. */
async function decide(client: pg.Client, call: string, id: string, done: string): Promise<void> {
  // A photo is named by its path.
  if (!id.includes('/') && !isUuid(id))
    throw new StartError(`${id} is no id: see "packpark reports list".`);
  const { rows } = await client.query<{ known: boolean | number }>(`select ${call} as known`, [id]);
  if (!rows[0]?.known) throw new StartError(`There is no open report with the id ${id}.`);
  console.log(`${done} ${id}`);
}

const ACTIONS: Record<string, [call: string, done: string]> = {
  hide: ['public.moderate_review($1::uuid, true) or public.hide_hazard($1::uuid)', 'Hid'],
  show: ['public.moderate_review($1::uuid, false)', 'Shows again'],
  dismiss: ['public.dismiss_reports($1)', 'Dismissed the reports of'],
};

export const command: Command = {
  summary: 'see what users reported; hide reviews and hazards or dismiss reports',
  help: `
Usage: npx packpark reports list
       npx packpark reports hazards         lists the hazards of parks that show now
       npx packpark reports hide ID...      hides a reported review, or a hazard that is none
       npx packpark reports show ID...      shows a hidden review again
       npx packpark reports dismiss ID...   resolves the reports of a review, user or photo, nothing else

A reported user is banned with "packpark users ban", a reported photo removed with "packpark parks reject".`,
  async run({ positionals: [action = '', ...ids] }) {
    const settings = readSettings(process.env);
    if (action === 'list') return withDatabase(settings, list);
    if (action === 'hazards') return withDatabase(settings, listHazards);
    const chosen = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!chosen || ids.length === 0)
      throw new StartError(
        'Say what to do: packpark reports list, hazards, hide ID, show ID or dismiss ID.',
      );
    await withDatabase(settings, async (client) => {
      for (const id of ids) await decide(client, chosen[0], id, chosen[1]);
    });
  },
};
