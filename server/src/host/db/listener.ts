// One connection that receives NOTIFY for the whole process, and reconnects if it is lost.
import pg from 'pg';
import { StartError } from '#/host/lib/start-error.ts';

interface Subscription {
  handler(payload: string): void;
  /** Called after a reconnect, because notifications may have been missed. */
  onReconnect(): void;
}

export interface Listener {
  listen(
    channel: string,
    handler: (payload: string) => void,
    onReconnect?: () => void,
  ): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const RETRY_MILLISECONDS = 250;
/** The connection's name. Other hosts on the same database detect this host by it. */
const LISTENER = 'packpark listener';

/** Returns true if a host uses the database. */
export async function isHostConnected(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_stat_activity where application_name = $1 and datname = current_database()',
    [LISTENER],
  );
  return rowCount !== 0;
}

/** @throws StartError if a host uses the database */
export async function rejectRunningHost(client: pg.ClientBase): Promise<void> {
  if (await isHostConnected(client))
    throw new StartError('Packpark already runs on the database: stop it first.');
}

/** Creates a listener, which connects on the first subscription. */
export function createListener(connectionString: string): Listener {
  const channels = new Map<string, Set<Subscription>>();
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString, keepAlive: true, application_name: LISTENER });
    next.on('error', () => undefined);
    next.on('notification', ({ channel, payload = '' }) => {
      for (const { handler } of channels.get(channel) ?? []) handler(payload);
    });
    await next.connect();
    for (const channel of channels.keys())
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    client = next;
    next.once('end', () => {
      client = null;
      reconnectLater();
    });
  }

  function reconnectLater(): void {
    if (closed) return;
    setTimeout(() => {
      if (closed) return;
      connecting = connect();
      connecting.then(() => {
        for (const subscriptions of channels.values())
          for (const { onReconnect } of subscriptions) onReconnect();
      }, reconnectLater);
    }, RETRY_MILLISECONDS);
  }

  return {
    async listen(channel, handler, onReconnect = () => undefined) {
      const subscription = { handler, onReconnect };
      const known = channels.get(channel);
      if (known) known.add(subscription);
      else channels.set(channel, new Set([subscription]));
      connecting ??= connect();
      await connecting;
      if (!known) await client?.query(`listen ${pg.escapeIdentifier(channel)}`);
      return async () => {
        const subscriptions = channels.get(channel);
        subscriptions?.delete(subscription);
        if (subscriptions?.size !== 0) return;
        channels.delete(channel);
        await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
      };
    },
    async close() {
      closed = true;
      await connecting?.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}
