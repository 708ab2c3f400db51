// Calls an SQL function of the moderation desk and converts its errors into StartErrors.
import type pg from 'pg';
import { StartError } from '#/host/lib/start-error.ts';

export async function callDesk(
  client: pg.Client,
  call: string,
  values: unknown[],
): Promise<unknown> {
  try {
    const { rows } = await client.query<{ result: unknown }>(`select ${call} as result`, values);
    return rows[0]?.result;
  } catch (error) {
    const { code, hint } = error as pg.DatabaseError;
    if (code === 'P0001' || code === '22P02')
      throw new StartError(hint ?? 'That is nothing that the desk knows.', { cause: error });
    throw error;
  }
}
