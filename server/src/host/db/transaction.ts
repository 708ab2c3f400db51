// One transaction on a connection of the pool: with the pool's role, or the one that its first statement sets.
import type pg from 'pg';

/** Runs `work` in one transaction; commits when it resolves, rolls back when it throws. `begin`: what opens it, in one round trip. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
