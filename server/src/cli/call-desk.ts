// Calls an SQL function of the moderation desk.
import type pg from 'pg';

export async function callDesk(
  client: pg.Client,
  call: string,
  values: unknown[],
): Promise<unknown> {
  const { rows } = await client.query<{ result: unknown }>(`select ${call} as result`, values);
  return rows[0]?.result;
}
