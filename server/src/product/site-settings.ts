// Tells the database what SQL must know of the operator's settings; private.site_settings then is what everybody reads.
import type pg from 'pg';
import { LISTENER } from '#/host/db/listener.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type { Settings } from '#/product/settings.ts';

const NAMES = ['TIME_ZONE', 'WEEKEND', 'HOUR_CYCLE', 'MINIMUM_AGE', 'LANGUAGES'] as const;
type SiteSettings = Pick<Settings, (typeof NAMES)[number]>;

export async function readSiteSettings(client: pg.ClientBase): Promise<SiteSettings> {
  const { rows } = await client.query<SiteSettings>(
    `select ${NAMES.map((name) => `${name.toLowerCase()} as "${name}"`).join()} from private.site_settings`,
  );
  if (!rows[0]) throw new Error('private.site_settings has no row.');
  return rows[0];
}

/** The middle of the parks that came by imports, the demo's aside; null where there are none. */
export async function importedPlace(pool: pg.Pool): Promise<{ lat: number; long: number } | null> {
  const { rows } = await pool.query<{ lat: number | null; long: number }>(
    `select percentile_disc(0.5) within group (order by lat)::float as lat,
       percentile_disc(0.5) within group (order by long)::float as long
     from public.parks where status = 'approved' and source <> 'demo'`,
  );
  const [{ lat, long } = { lat: null, long: 0 }] = rows;
  return lat === null ? null : { lat, long };
}

/**
 * Called at the start, before anybody is answered.
 * @throws StartError where another host runs with other settings, or the time zone cannot change any more
 */
export async function applySiteSettings(client: pg.ClientBase, settings: Settings): Promise<void> {
  const now = await readSiteSettings(client);
  if (NAMES.every((name) => String(now[name]) === String(settings[name]))) return;
  const { rowCount: others } = await client.query(
    'select from pg_stat_activity where application_name = $1 and datname = current_database()',
    [LISTENER],
  );
  if (others) {
    const theirs = NAMES.map((name) => `${name} ${String(now[name])}`).join(', ');
    throw new StartError(
      `Another host of this site runs with ${theirs}: start this one with the same, or stop that one to change them.`,
    );
  }
  try {
    await client.query(
      'select private.set_site_settings($1, $2, $3, $4, $5)',
      NAMES.map((name) => settings[name]),
    );
  } catch (error) {
    const { hint, message } = error as { hint?: string; message: string };
    throw new StartError(hint ?? message, { cause: error });
  }
}
