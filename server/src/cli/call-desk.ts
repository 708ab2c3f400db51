// Calls a function of the desk for a command and turns its errors into sentences.
import type pg from 'pg';
import { StartError } from '#/host/lib/start-error.ts';

/** @throws StartError with the function's message */
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
