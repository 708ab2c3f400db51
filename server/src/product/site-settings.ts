// Tells the database what SQL must know of the operator's settings; private.site_settings then is what everybody reads.
import type pg from 'pg';
import { LISTENER } from '#/host/db/listener.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type { Settings } from '#/product/settings.ts';

export interface SiteSettings {
  timeZone: string;
  /** Days of the week, 0 is Sunday. */
  weekend: number[];
}

export async function readSiteSettings(client: pg.ClientBase | pg.Pool): Promise<SiteSettings> {
  const { rows } = await client.query<SiteSettings>(
    'select time_zone as "timeZone", weekend from private.site_settings',
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
export async function applySiteSettings(
  client: pg.ClientBase,
  { TIME_ZONE, WEEKEND }: Settings,
): Promise<void> {
  const { timeZone, weekend } = await readSiteSettings(client);
  if (timeZone === TIME_ZONE && weekend.join() === WEEKEND.join()) return;
  const { rowCount: others } = await client.query(
    'select from pg_stat_activity where application_name = $1 and datname = current_database()',
    [LISTENER],
  );
  if (others)
    throw new StartError(
      `Another host of this site runs with TIME_ZONE ${timeZone} and WEEKEND ${weekend.join()}: start this one with the same, or stop that one to change them.`,
    );
  try {
    await client.query('select private.set_site_settings($1, $2)', [TIME_ZONE, WEEKEND]);
  } catch (error) {
    const { hint, message } = error as { hint?: string; message: string };
    throw new StartError(hint ?? message, { cause: error });
  }
}
