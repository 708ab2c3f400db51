// Stores the settings that SQL needs in private.site_settings, and reads the stored values of settings that the operator has not
// set.
import type pg from 'pg';
import { isHostConnected } from '#/host/db/listener.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type { Settings } from '#/product/settings.ts';

const NAMES = ['TIME_ZONE', 'WEEKEND', 'HOUR_CYCLE', 'MINIMUM_AGE', 'LANGUAGES'] as const;
type SiteSettings = { [Name in (typeof NAMES)[number]]: NonNullable<Settings[Name]> };

/** Settings in which all settings that are stored in SQL have a value. */
export type CompleteSettings = Settings & SiteSettings;

export async function readSiteSettings(client: Pick<pg.Pool, 'query'>): Promise<SiteSettings> {
  const { rows } = await client.query<SiteSettings>(
    `select ${NAMES.map((name) => `${name.toLowerCase()} as "${name}"`).join()} from private.site_settings`,
  );
  if (!rows[0]) throw new Error('private.site_settings has no row.');
  return rows[0];
}

/** Returns the park with the most parks within about ten kilometres, without demo parks; null if there are none. */
export async function importedPlace(pool: pg.Pool): Promise<{ lat: number; long: number } | null> {
  const { rows } = await pool.query<{ lat: number; long: number }>(
    `with parks as (
       select id, lat, long, floor(lat * 20) as y, floor(long * 20) as x from public.parks where status = 'approved' and source <> 'demo'
     ), cells as (
       select y, x, count(*) as parks from parks group by y, x
     ), fullest as (
       select c.y, c.x from cells c join cells near on abs(near.y - c.y) <= 1 and abs(near.x - c.x) <= 1
       group by c.y, c.x, c.parks order by sum(near.parks) desc, c.parks desc, c.y, c.x limit 1
     ), inside as (
       select p.*, avg(p.lat) over () as mean_lat, avg(p.long) over () as mean_long from parks p join fullest using (y, x)
     )
     select lat, long from inside order by (lat - mean_lat) ^ 2 + (long - mean_long) ^ 2, id limit 1`,
  );
  return rows[0] ?? null;
}

/** Replaces settings that are not set by their stored values. */
export async function completeSettings(
  client: Pick<pg.Pool, 'query'>,
  settings: Settings,
): Promise<CompleteSettings> {
  const stored = await readSiteSettings(client);
  const chosen = NAMES.flatMap((name) =>
    settings[name] === undefined ? [] : [[name, settings[name]]],
  );
  return { ...settings, ...stored, ...(Object.fromEntries(chosen) as Partial<SiteSettings>) };
}

async function storeSiteSettings(client: pg.ClientBase, settings: CompleteSettings) {
  try {
    await client.query(
      'select private.set_site_settings($1, $2, $3, $4, $5)',
      NAMES.map((name) => settings[name]),
    );
  } catch (error) {
    const { hint, detail, message } = error as { hint?: string; detail?: string; message: string };
    const fixed = /time_zone/.test(`${detail} ${message}`) || /time zone/i.test(hint ?? message);
    throw new StartError(`${fixed ? 'The setting TIME_ZONE is wrong: ' : ''}${hint ?? message}`, {
      cause: error,
    });
  }
}

/**
 * Checks that a start could store the settings, without changing anything.
 * @throws StartError
 */
export async function checkSiteSettings(client: pg.ClientBase, settings: Settings): Promise<void> {
  await client.query('begin');
  try {
    await storeSiteSettings(client, await completeSettings(client, settings));
  } finally {
    await client.query('rollback');
  }
}

/**
 * Stores the settings. Call it before the first request is served.
 * @throws StartError if another host runs with other settings, or the time zone can no longer change
 */
export async function applySiteSettings(client: pg.ClientBase, given: Settings): Promise<void> {
  const now = await readSiteSettings(client);
  const settings = await completeSettings(client, given);
  if (NAMES.every((name) => String(now[name]) === String(settings[name]))) return;
  if (await isHostConnected(client)) {
    const theirs = NAMES.map((name) => `${name} ${String(now[name])}`).join(', ');
    throw new StartError(
      `Another host of this site runs with ${theirs}: start this one with the same, or stop that one to change them.`,
    );
  }
  await storeSiteSettings(client, settings);
}
