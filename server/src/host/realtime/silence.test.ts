// Tests that the host closes inactive sockets (a phone that lost its network never closes the connection) and the channels of
// revoked sessions.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { createLog } from '#/host/lib/log.ts';
import { createRealtimeService } from '#/host/realtime/service.ts';
import { startLog } from '../../../../testing/log-lines.ts';
import { openSocket } from '../../../../testing/raw-socket.ts';
import { startTestHost } from '../../../../testing/test-host.ts';

const HEARTBEAT = '[null,"1","phoenix","heartbeat",{}]';
const TIMEOUT = 1000;

const server = createServer();

const host = await startTestHost();
const { database, tokens } = host;
const log = createLog('silent');
const service = await createRealtimeService(
  { database, tokens, log, trustProxy: false },
  { timeout: TIMEOUT, checkEvery: 25 },
);
/** A service that checks sessions so rarely that only a notification by the database can close a channel in this test. */
const patient = await createRealtimeService(
  { database, tokens, log, trustProxy: false },
  { timeout: TIMEOUT, checkEvery: 2 ** 31 - 1 },
);
server.on('upgrade', (request, socket, head) =>
  (request.headers['x-patient'] ? patient : service).upgrade(request, socket, head),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  await service.close();
  await patient.close();
  server.close();
});

// With a manual clock, heartbeats arrive in time however slow the machine is.
let clock = 0;
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => clock));
afterEach(() => void vi.restoreAllMocks().useRealTimers());

interface Open {
  ws: WebSocket;
  /** The messages received on the channel `n`: events, and the texts of `system`. */
  events(): string[];
  /** Resolves when the host has answered a heartbeat and all earlier messages. */
  beat(): Promise<void>;
}

async function open(headers: Record<string, string> = {}): Promise<Open> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const query = `apikey=${host.tokens.anonKey}&vsn=2.0.0`;
  const { ws, received } = await openSocket(url, query, headers);
  const on = (wanted: string) => received.filter(([, , topic]) => topic === wanted);
  let beats = 0;
  return {
    ws,
    events: () =>
      on('realtime:n').map(([, , , event, payload]) =>
        event === 'system' ? JSON.stringify(payload) : event,
      ),
    async beat() {
      beats += 1;
      ws.send(HEARTBEAT);
      await expect.poll(() => on('phoenix').length).toBe(beats);
    },
  };
}

/** Opens a socket that joins the channel `n`. */
async function join(token: string | undefined, changes: object[], headers = {}): Promise<Open> {
  const opened = await open(headers);
  const payload = { config: { postgres_changes: changes }, access_token: token };
  opened.ws.send(JSON.stringify(['1', '1', 'realtime:n', 'phx_join', payload]));
  return opened;
}

test('a silent socket is closed, and one that sends heartbeats stays open', async () => {
  const [silent, chatty] = await Promise.all([open(), open()]);
  // The first socket sends one heartbeat and then nothing more.
  await silent.beat();
  clock += TIMEOUT;
  await chatty.beat();
  expect(silent.ws.readyState).toBe(WebSocket.OPEN);
  clock += 1;
  await expect.poll(() => silent.ws.readyState).toBe(WebSocket.CLOSED);
  await chatty.beat();
  chatty.ws.terminate();
});

test('a channel closes when the session of its token ends, and other channels stay open', async () => {
  const session = async () => {
    const client = host.client();
    await client.auth.signUp({ email: `${randomUUID()}@example.test`, password: 'correct horse' });
    return { client, token: (await client.auth.getSession()).data.session?.access_token };
  };
  const [leaving, staying] = [await session(), await session()];
  const openChannel = async (token: string | undefined) => {
    const one = await join(token, []);
    await expect.poll(() => one.events()).toEqual(['phx_reply']);
    return one;
  };
  const [left, stayed] = [await openChannel(leaving.token), await openChannel(staying.token)];
  await leaving.client.auth.signOut();
  await expect.poll(() => left.events().at(-1)).toBe('phx_close');
  expect(left.events().at(-2)).toContain('The session has ended');
  await stayed.beat();
  expect(stayed.events()).toEqual(['phx_reply']);
  for (const { ws } of [left, stayed]) ws.terminate();
});

const REVOKE = {
  'a ban': {
    revoke: `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
    earlier: 0,
  },
  // The channel first receives the user's own change, so that the app checks its session.
  'the end of a session': {
    revoke: 'delete from auth.sessions where user_id = $1',
    earlier: 1,
  },
  'the deletion of the account': {
    revoke: 'delete from auth.users where id = $1',
    earlier: 0,
  },
};
test.each(Object.entries(REVOKE))(
  '%s closes the channels immediately, and no later change is delivered',
  async (_, { revoke, earlier }) => {
    const withSession = async (name: string) => {
      const { id } = await host.user(name);
      const [session] = await host.sql<{ id: string }>`
      insert into auth.sessions (user_id) values (${id}) returning id`;
      const claims = { role: 'authenticated', sub: id, session_id: session?.id ?? '' } as const;
      return { id, token: await host.tokens.sign(claims, 3600) };
    };
    const [ended, other] = [await withSession('Ended'), await withSession('Other')];
    const openChannel = async ({ id, token }: { id: string; token: string }) => {
      const changes = [
        { event: '*', schema: 'public', table: 'notifications', filter: `receiver_id=eq.${id}` },
        { event: '*', schema: 'public', table: 'own_changes', filter: `user_id=eq.${id}` },
      ];
      const one = await join(token, changes, { 'x-patient': 'yes' });
      await expect.poll(() => one.events().at(-1)).toContain('"status":"ok"');
      return one;
    };
    const [left, stayed] = [await openChannel(ended), await openChannel(other)];
    await host.sql(revoke, [ended.id]);
    await host.sql`insert into public.notifications (type, receiver_id, data)
     select 'deskWaiting', id, '{"waiting": 1, "hours": 1}' from public.users where id = any (${[ended.id, other.id]})`;
    await expect.poll(() => stayed.events().at(-1)).toBe('postgres_changes');
    await expect.poll(() => left.events().at(-1)).toBe('phx_close');
    expect(left.events().at(-2)).toContain('The session has ended');
    expect(left.events().filter((event) => event === 'postgres_changes')).toHaveLength(earlier);
    for (const { ws } of [left, stayed]) ws.terminate();
  },
);

test('the log reports that large changes could not be deleted', async () => {
  const { log, lines } = startLog();
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const { database, tokens } = host;
  const watched = await createRealtimeService({ database, tokens, log, trustProxy: false });
  await host.sql('alter table realtime.large_changes rename to away');
  vi.advanceTimersByTime(60_000);
  await expect
    .poll(() => lines)
    .toMatchObject([{ msg: 'realtime: delivered large changes could not be deleted' }]);
  await host.sql('alter table realtime.away rename to large_changes');
  await watched.close();
});
