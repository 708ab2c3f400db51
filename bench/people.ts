// The load of one machine: people who look, open parks, check in and get notified, on a country's data, from loopback.
// LOAD_VIEWERS (2000), LOAD_CHECK_INS a minute (60) and LOAD_MINUTES (2; docs/scale.md has the figures of 10) change it.
import { setTimeout as pause } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SignJWT } from 'jose';
import pg from 'pg';
import WebSocket from 'ws';
import type { BenchHost } from './lib/bench-host.ts';
import { startCountryHost } from './lib/country.ts';
import { parksOf, peopleOf, personId } from './lib/country-numbers.ts';
import { steadily } from './lib/load.ts';
import { countingAgent, makePhone } from './lib/phone.ts';
import { processorSeconds, residentMegabytes } from './lib/processor-time.ts';
import { send } from './lib/request.ts';
import { percentile, round } from './lib/statistics.ts';

const setting = (name: string, usual: number) => Number(process.env[name] ?? usual);
const VIEWERS = setting('LOAD_VIEWERS', 2000);
const CHECK_INS = setting('LOAD_CHECK_INS', 60) / 60;
const SECONDS = setting('LOAD_MINUTES', 2) * 60;
const POLL_SECONDS = 15;
/** How long somebody stays in the app, and how often opens a park. */
const VISIT_SECONDS = 300;
const OPEN_SECONDS = 60;
/** People with an open app who wait for notifications, and how many get one in a second. */
const LISTENERS = Math.min(500, VIEWERS);
const NOTIFICATIONS = 2;
const LIMIT_MS = 250;
const SECRET = 'a secret of the benchmark with at least 32 characters';

interface Person {
  id: string;
  token: string;
}

/** What was asked, how long each took, and what went wrong. */
class Ledger {
  readonly times = new Map<string, number[]>();
  readonly errors = new Map<string, number>();
  /** Answers over the limit, by the ten seconds in which they were asked for: together they have one cause. */
  readonly late = new Map<number, number>();
  readonly #began = performance.now();

  async time<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    const began = performance.now();
    try {
      const result = await work();
      const times = this.times.get(what) ?? [];
      const took = performance.now() - began;
      times.push(took);
      this.times.set(what, times);
      const when = Math.floor((began - this.#began) / 10_000) * 10;
      if (took > LIMIT_MS) this.late.set(when, (this.late.get(when) ?? 0) + 1);
      return result;
    } catch (error) {
      const sentence = `${what}: ${(error as Error).message.slice(0, 120)}`;
      this.errors.set(sentence, (this.errors.get(sentence) ?? 0) + 1);
      return undefined;
    }
  }
}

/** The number of somebody who is not hidden: each fiftieth is (country.sql), and gets no requests. */
const visible = (n: number) => n + 1 + Math.floor(n / 49);

async function signIn(n: number): Promise<Person> {
  const id = personId(n);
  const token = await new SignJWT({ role: 'authenticated', sub: id, aud: 'authenticated' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('2h')
    .sign(new TextEncoder().encode(SECRET));
  return { id, token };
}

/** An open app: joined for one's own notifications, as supabase-js joins. @param onNotification gets the sender's id */
async function listen(host: BenchHost, person: Person, onNotification: (sender: string) => void) {
  const socket = new WebSocket(
    `${host.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${host.anonKey}&vsn=2.0.0`,
  );
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => {
      const filter = `receiver_id=eq.${person.id}`;
      const change = { event: 'UPDATE', schema: 'public', table: 'notifications', filter };
      const join = { config: { postgres_changes: [change] }, access_token: person.token };
      socket.send(JSON.stringify(['1', '1', 'realtime:notifications', 'phx_join', join]));
    });
    socket.on('message', (frame) => {
      const [, , , event, payload] = JSON.parse(String(frame));
      if (event === 'postgres_changes') onNotification(payload.data.record.sender_id);
      if (event === 'system' && payload.status === 'ok') resolve();
      if (event === 'system' && payload.status !== 'ok') reject(new Error(payload.message));
    });
    socket.on('error', reject);
  });
  const heartbeat = setInterval(
    () => socket.send(JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}])),
    25_000,
  );
  return () => {
    clearInterval(heartbeat);
    socket.terminate();
  };
}

export async function run() {
  const host = await startCountryHost('full', { JWT_SECRET: SECRET });
  const database = new pg.Client(host.connectionString);
  const looks = countingAgent(300);
  const acts = countingAgent(100);
  const closers: (() => void)[] = [];
  try {
    await database.connect();
    const ledger = new Ledger();
    const [people, parks] = [peopleOf('full'), parksOf('full')];

    async function rest(person: Person | null, path: string, body?: object) {
      const { status, text } = await send(acts.agent, `${host.url}/rest/v1/${path}`, {
        headers: {
          apikey: host.anonKey,
          authorization: `Bearer ${person?.token ?? host.anonKey}`,
        },
        body,
      });
      if (status >= 300) throw new Error(`${status} ${text}`);
    }

    // People with an open app. Their notifications come from people who ask to be friends.
    const asked = new Map<string, number>();
    const arrivals: number[] = [];
    const listeners: Person[] = [];
    for (let n = 0; n < LISTENERS; n += 1) {
      const person = await signIn(20_000 + visible(n));
      listeners.push(person);
      closers.push(
        await listen(host, person, (sender) => {
          const began = asked.get(sender + person.id);
          if (began !== undefined) arrivals.push(performance.now() - began);
          asked.delete(sender + person.id);
        }),
      );
    }

    const phones = Array.from({ length: VIEWERS }, () =>
      makePhone(looks.agent, host.url, host.anonKey),
    );
    async function file(path: string) {
      const headers = { 'accept-encoding': 'br' };
      const { status } = await send(looks.agent, host.url + path, { headers });
      if (status !== 200) throw new Error(String(status));
    }
    const arrive = (n: number) =>
      Promise.all([
        ledger.time('page', () => file('/')),
        ledger.time('list of parks', () => file('/storage/v1/object/public/parks/parks-en.json')),
        ledger.time('live counts, all', async () => {
          const phone = makePhone(looks.agent, host.url, host.anonKey);
          phones[n % VIEWERS] = phone;
          await phone.poll();
        }),
      ]);
    const open = async (n: number) => {
      const park = 1 + ((n * 7) % parks);
      const person = n % 3 === 0 ? (listeners[n % LISTENERS] ?? null) : null;
      await Promise.all([
        ledger.time('park', () =>
          rest(
            person,
            `parks?select=*,park_translations(*),park_photos(path,status)&id=eq.${park}`,
          ),
        ),
        ledger.time('park_status', () => rest(person, 'rpc/park_status', { p_park_id: park })),
        ledger.time('park_busy_hours', () =>
          rest(person, 'rpc/park_busy_hours', { p_park_id: park }),
        ),
        ledger.time('reviews', () =>
          rest(
            person,
            `park_reviews?select=*&park_id=eq.${park}&order=created_at.desc,id&limit=20`,
          ),
        ),
      ]);
    };
    const checkIn = async (n: number) => {
      const person = await signIn(40_000 + n);
      const phone = makePhone(acts.agent, host.url, host.anonKey);
      await ledger.time('check_in', () =>
        rest(person, 'rpc/check_in', {
          p_park_id: 1 + ((n * 13) % parks),
          p_key: crypto.randomUUID(),
        }),
      );
      await ledger.time('live counts, fresh', () => phone.poll(true));
      await ledger.time('friends_now', () => rest(person, 'rpc/friends_now', {}));
      await ledger.time('unseen notifications', () =>
        rest(
          person,
          `notifications?select=*&receiver_id=eq.${person.id}&is_ready=is.true&seen_at=is.null&order=created_at.desc&limit=200`,
        ),
      );
      if (n % 3 > 0) return;
      await pause(Math.min(60, SECONDS / 4) * 1000);
      await ledger.time('check_out', () => rest(person, 'rpc/check_out', {}));
    };
    const notify = async (n: number) => {
      const sender = await signIn(people - 20_000 - visible(n));
      const receiver = listeners[n % LISTENERS];
      if (!receiver) return;
      asked.set(sender.id + receiver.id, performance.now());
      await ledger.time('send_friend_request', () =>
        rest(sender, 'rpc/send_friend_request', { p_user_id: receiver.id }),
      );
    };

    // Everybody arrives once before it counts.
    for (let n = 0; n < VIEWERS; n += 100)
      await Promise.all(phones.slice(n, n + 100).map((phone) => phone.poll()));

    const memory: number[] = [];
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const used = { host: processorSeconds(host.pid), own: process.cpuUsage() };
    const watch = setInterval(() => memory.push(residentMegabytes(host.pid)), 5000);
    const at = (perSecond: number, work: (n: number) => Promise<unknown>) =>
      steadily({ perSecond, seconds: SECONDS }, work);
    await Promise.all([
      at(VIEWERS / POLL_SECONDS, (n) =>
        ledger.time('live counts, changes', () => phones[n % VIEWERS]?.poll() ?? pause(0)),
      ),
      at(VIEWERS / VISIT_SECONDS, arrive),
      at(VIEWERS / OPEN_SECONDS, open),
      at(CHECK_INS, checkIn),
      at(NOTIFICATIONS, notify),
    ]);
    clearInterval(watch);
    const hostShare = ((processorSeconds(host.pid) - used.host) / SECONDS) * 100;
    const own = process.cpuUsage(used.own);
    const ownShare = ((own.user + own.system) / 1e6 / SECONDS) * 100;
    await pause(2000);

    console.table(
      [...ledger.times].map(([what, times]) => ({
        what,
        times: times.length,
        p50: round(percentile(times, 0.5), 1),
        p99: round(percentile(times, 0.99), 1),
        longest: round(Math.max(...times), 1),
      })),
    );
    for (const [second, answers] of ledger.late)
      console.log(
        `From second ${second} on, in ten seconds: ${answers} answers over ${LIMIT_MS} ms`,
      );
    for (const [sentence, times] of ledger.errors) console.error(`${times} × ${sentence}`);
    const errors = [...ledger.errors.values()].reduce((sum, times) => sum + times, 0);
    const quarter = Math.ceil(memory.length / 4);
    const [early, late] = [memory.slice(0, quarter), memory.slice(-quarter)].map((part) =>
      percentile(part, 0.5),
    ) as [number, number];
    const where = `${VIEWERS} viewers, ${CHECK_INS * 60} check-ins a minute, ${SECONDS / 60} min`;
    const row = (what: string, figure: number, unit: string, pass?: boolean) => ({
      goal: 22.5,
      what: `${what} (${where})`,
      figure: round(figure, 1),
      unit,
      ...(pass !== undefined && { pass }),
    });
    return [
      ...[...ledger.times].map(([what, times]) =>
        row(
          `load: ${what}, p99 of ${times.length}`,
          percentile(times, 0.99),
          'ms',
          percentile(times, 0.99) <= LIMIT_MS,
        ),
      ),
      row(
        `load: notification from request to socket, p99 of ${arrivals.length}, lost ${asked.size}`,
        percentile(arrivals, 0.99),
        'ms',
        percentile(arrivals, 0.99) <= LIMIT_MS && asked.size === 0,
      ),
      row('load: errors', errors, 'answers', errors === 0),
      row('load: processor time of the host', hostShare, '% of a core'),
      row(
        `load: processor time of these people (their clock late by ${round(delay.percentile(99) / 1e6, 0)} ms, p99)`,
        ownShare,
        '% of a core',
      ),
      {
        ...row('load: memory of the host at the end', late, 'MB', late <= early + 15),
        control: 'its first quarter',
        controlFigure: round(early, 1),
        ratio: round(late / early),
      },
    ];
  } finally {
    for (const close of closers) close();
    await looks.agent.destroy();
    await acts.agent.destroy();
    await database.end();
    await host.stop();
  }
}
