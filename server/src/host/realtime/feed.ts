// Handles changes that the database reports by NOTIFY: finds the subscribers, checks visibility, and delivers in order.
import type { HostParts } from '#/host/host-parts.ts';
import { claimsText, type Role } from '#/host/lib/tokens.ts';
import type { Access, ListenableTable, Question } from '#/host/realtime/access.ts';
import type { Channel } from '#/host/realtime/channel.ts';
import type { Row } from '#/host/filters/match.ts';
import type { ChangeType, Subscriptions } from '#/host/realtime/subscriptions.ts';

interface Change {
  schema: string;
  table: string;
  type: ChangeType;
  at: string;
  record: Row | null;
  old: Row | null;
}

/** A change for one channel, with the matching subscriptions and the channel's current claims. */
interface Delivery {
  channel: Channel;
  ids: number[];
  table: ListenableTable;
  role: Role;
  question: Question;
}

interface Parts extends Pick<HostParts, 'database' | 'log'> {
  access: Access;
  subscriptions: Subscriptions;
}

/** Maximum number of changes that are checked together, with one statement per role. */
const BATCH = 100;
/**
 * Number of batches whose visibility is checked concurrently, so that a change does not wait for the results of earlier changes.
 */
const BATCHES_AT_ONCE = 3;
const CLEANUP_MS = 60_000;

const pick = (row: Row | null, names: string[]): Row =>
  Object.fromEntries(names.filter((name) => row && name in row).map((name) => [name, row?.[name]]));

/** Returns the event with the columns that a role may read, in Supabase's format. */
function dataFor(change: Change, table: ListenableTable, role: Role): string {
  const columns = table.columns[role];
  const names = columns.map(({ name }) => name);
  return JSON.stringify({
    schema: change.schema,
    table: change.table,
    commit_timestamp: `${change.at.slice(0, 23)}Z`,
    type: change.type,
    columns,
    ...(change.type === 'DELETE' ? {} : { record: pick(change.record, names) }),
    ...(change.type === 'INSERT' ? {} : { old_record: pick(change.old, names) }),
    errors: null,
  });
}

function deliveriesOf(change: Change, table: ListenableTable, subscriptions: Subscriptions) {
  const deliveries = new Map<Channel, Delivery>();
  const row = change.record ?? change.old ?? {};
  const key = JSON.stringify(pick(row, table.key));
  for (const { channel, id } of subscriptions.find(change.schema, change.table, change.type, row)) {
    const known = deliveries.get(channel);
    if (known) known.ids.push(id);
    else {
      const question = { key, claims: claimsText(channel.claims) };
      deliveries.set(channel, { channel, ids: [id], table, role: channel.claims.role, question });
    }
  }
  return [...deliveries.values()];
}

/** Checks all pairs of a row and a caller together, and delivers the allowed changes after each chunk of results. */
async function decide(
  access: Access,
  deliveries: Delivery[],
  allow: (those: Delivery[]) => void,
): Promise<void> {
  const groups = new Map<string, Map<string, Delivery[]>>();
  for (const delivery of deliveries) {
    const { table, role, question } = delivery;
    const group = `${role} ${table.schema}.${table.table}`;
    const same = `${question.key} ${question.claims}`;
    const queried = groups.get(group) ?? new Map<string, Delivery[]>();
    groups.set(group, queried);
    const those = queried.get(same);
    if (those) those.push(delivery);
    else queried.set(same, [delivery]);
  }
  await Promise.all(
    [...groups.values()].map(async (queried) => {
      const all = [...queried.values()];
      const firsts = all.flatMap(([first]) => first ?? []);
      const [{ table, role } = {}] = firsts;
      if (!table || !role) return;
      const questions = firsts.map(({ question }) => question);
      await access.queryVisibility(table, role, questions, (results, first) =>
        allow(results.flatMap((yes, index) => (yes ? (all[first + index] ?? []) : []))),
      );
    }),
  );
}

/**
 * Starts listening for changes.
 * @param onGap called if changes may have been missed because the connection to the database was lost
 */
export async function startFeed(parts: Parts, onGap: () => void) {
  const { database, access, subscriptions, log } = parts;
  /**
   * Payloads of notifications that were not handled yet, and tasks that run between them. Each payload is a change, or the ID of a
   * large change.
   */
  const waiting: (string | (() => void))[] = [];
  let underWay = 0;
  /** Resolves when the latest batch is delivered or the latest task has run; null if there is none. */
  let last: Promise<void> | null = null;

  /** Returns a function that delivers one change; the change is serialised once per role. */
  function sender(change: Change): (those: Delivery[]) => void {
    const data = new Map<Role, string>();
    return (those) => {
      for (const { role, table, channel, ids } of those) {
        const json = data.get(role) ?? dataFor(change, table, role);
        data.set(role, json);
        channel.deliver(ids, json);
      }
    };
  }

  async function read(payload: string): Promise<Change> {
    if (!/^\d+$/.test(payload)) return JSON.parse(payload) as Change;
    const { rows } = await database.pool.query<{ change: string }>(
      'select change from realtime.large_changes where id = $1',
      [payload],
    );
    if (!rows[0]) throw new Error('a large change was cleaned up before it was read');
    return JSON.parse(rows[0].change) as Change;
  }

  /**
   * Checks the visibility of changes and delivers them.
   * @param earlier resolves when all earlier changes are delivered
   */
  async function deliver(payloads: string[], earlier: Promise<void> | null): Promise<void> {
    const all: { change: Change; deliveries: Delivery[] }[] = [];
    for (const payload of payloads) {
      const change = await read(payload);
      const table = await access.table(change.schema, change.table);
      if (!table?.published[change.type]) continue;
      const deliveries = deliveriesOf(change, table, subscriptions);
      if (deliveries.length > 0) all.push({ change, deliveries });
    }
    // A policy cannot be evaluated for a deleted row. As on Supabase, every subscriber with a matching filter receives the row's
    // key.
    const queried = all.filter(({ change }) => change.type !== 'DELETE');
    const [only] = all;
    // A single change is delivered while the results arrive. Several changes are delivered after all results, so that each channel
    // receives them in order.
    if (only && all.length === 1 && queried.length === 1 && earlier === null)
      return decide(access, only.deliveries, sender(only.change));
    const allowed = new Set<Delivery>();
    await decide(
      access,
      queried.flatMap(({ deliveries }) => deliveries),
      (those) => those.forEach((delivery) => allowed.add(delivery)),
    );
    await earlier;
    for (const { change, deliveries } of all)
      sender(change)(
        change.type === 'DELETE' ? deliveries : deliveries.filter((each) => allowed.has(each)),
      );
  }

  /** Removes and returns the next batch: a task, or the changes before the next task. */
  function nextBatch(): string[] | (() => void) {
    const [first = ''] = waiting;
    if (typeof first === 'function') {
      waiting.shift();
      return first;
    }
    const end = waiting.slice(0, BATCH).findIndex((each) => typeof each === 'function');
    return waiting.splice(0, end === -1 ? BATCH : end) as string[];
  }

  /** Starts as many batches as allowed. Each is delivered after the previous one. */
  function drain(): void {
    while (waiting.length > 0 && underWay < BATCHES_AT_ONCE) {
      underWay += 1;
      const batch = nextBatch();
      const started =
        typeof batch === 'function' ? Promise.resolve(last).then(batch) : deliver(batch, last);
      const done = started
        .catch((error: unknown) => {
          log.error(
            { error: (error as Error).message },
            'realtime: changes could not be delivered',
          );
          for (const each of waiting.splice(0)) if (typeof each === 'function') each();
          onGap();
        })
        .finally(() => {
          underWay -= 1;
          if (last === done) last = null;
          drain();
        });
      last = done;
    }
  }

  function receive(next: string | (() => void)): void {
    // The changes of one commit arrive together, so they are handled in one batch.
    if (waiting.push(next) === 1) queueMicrotask(drain);
  }

  const stopListening = await database.listen('packpark_changes', receive, onGap);
  const cleanup = setInterval(() => {
    database.pool
      .query(`delete from realtime.large_changes where created_at < now() - interval '5 minutes'`)
      .catch((error: unknown) =>
        log.warn(
          { error: (error as Error).message },
          'realtime: delivered large changes could not be deleted',
        ),
      );
  }, CLEANUP_MS);
  cleanup.unref();
  return {
    /** Runs a task after the changes received so far are delivered, and before any later change is. */
    runInOrder: (task: () => void): void => receive(task),
    async stop(): Promise<void> {
      clearInterval(cleanup);
      await stopListening();
    },
  };
}
