// Tests receiver quotas for every notification type: a flood does not suppress notifications of other senders, and no sender has
// unlimited notifications.
import type pg from 'pg';
import { expect, test } from 'vitest';
import { atEnd } from '../../testing/at-end.ts';
import { createFixtures, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, database } = fixtures;

const types = await admin.rows<{ type: string; severity: string | null }>`
  select t.type::text as type, severity::text from private.notification_types t order by t.type`;
const limits = await admin.rows<{
  severity: string;
  in_all: number;
  by_one_sender: number;
  by_shared_source: number;
}>`select * from private.receiver_quotas()`;

const senders = await fixtures.crowd(11);
await fixtures.regulars(senders);
const newcomers = await fixtures.crowd(20);

/** Sends notifications in a transaction that is never committed, so that no messages are written. */
async function createNotifier(receiver: TestUser) {
  const client: pg.PoolClient = await database.pool.connect();
  await client.query('begin');
  atEnd(async () => {
    await client.query('rollback');
    client.release();
  });
  return {
    /** Returns true if the notification was within the quotas. With `withdraw`, it is then withdrawn. */
    async notify(type: string, sender: TestUser | null, { withdraw = false } = {}) {
      const { rows } = await client.query<{ notify: boolean }>(
        'select private.notify($1, null, $2, p_source => $3)',
        [type, receiver.id, sender?.id ?? null],
      );
      if (withdraw)
        await client.query('delete from public.notifications where receiver_id = $1', [
          receiver.id,
        ]);
      return rows[0]?.notify === true;
    },
  };
}

/** Sends notifications from four senders, twenty new accounts and finders, until all quotas are used up. */
async function flood(
  { notify }: Awaited<ReturnType<typeof createNotifier>>,
  type: string,
  withdraw: boolean,
) {
  const passed = { one: 0, newcomers: 0, anonymous: 0 };
  for (const [index, sender] of senders.slice(0, 4).entries())
    for (let time = 0; time < 15; time += 1)
      passed.one += Number((await notify(type, sender, { withdraw })) && index === 0);
  for (const sender of newcomers)
    passed.newcomers += Number(await notify(type, sender, { withdraw }));
  for (let time = 0; time < 15; time += 1)
    passed.anonymous += Number(await notify(type, null, { withdraw }));
  return passed;
}

test.each(
  types.flatMap(({ type, severity }) =>
    [false, true].map((withdraw) => ({ type, severity, withdraw })),
  ),
)(
  '$type: a flood (withdrawn: $withdraw) ends soon, and the next sender is heard',
  async ({ type, severity, withdraw }) => {
    const notifier = await createNotifier(await fixtures.user('Victim'));
    const passed = await flood(notifier, type, withdraw);
    const limit = limits.find((each) => each.severity === severity);
    // Notifications of the site itself have no quota, and users cannot send them.
    if (limit)
      expect(passed).toEqual({
        one: limit.by_one_sender,
        newcomers: limit.by_shared_source,
        anonymous: limit.by_shared_source,
      });
    expect(await notifier.notify(type, senders[4] ?? null)).toBe(true);
  },
);

test('no flood of minor types suppresses a severe one, and withdrawn ones make room for others', async () => {
  const notifier = await createNotifier(await fixtures.user('Victim'));
  const minor = types.filter(({ severity }) => severity === 'minor').map(({ type }) => type);
  const severe = types.filter(({ severity }) => severity !== 'minor').map(({ type }) => type);
  for (const withdraw of [true, false])
    for (const sender of senders.slice(0, 9))
      for (const type of minor) await notifier.notify(type, sender, { withdraw });
  // Regardless of the number of senders, the receiver gets only this many notifications in a day.
  for (const sender of senders.slice(0, 9))
    expect(await notifier.notify('friendThere', sender)).toBe(false);
  for (const [index, type] of severe.entries())
    expect(await notifier.notify(type, senders[index % senders.length] ?? null), type).toBe(true);
});

test.each(types.filter(({ severity }) => severity === 'severe'))(
  '$type: when ten regulars have used up the overall quota, another sender is heard once',
  async ({ type }) => {
    const notifier = await createNotifier(await fixtures.user('Victim'));
    const [last = null, ...others] = senders;
    const passed: boolean[] = [];
    for (const sender of others)
      for (let time = 0; time < 4; time += 1) passed.push(await notifier.notify(type, sender));
    expect(passed.filter(Boolean)).toHaveLength(40);
    expect(await notifier.notify(type, last)).toBe(true);
    expect(await notifier.notify(type, null)).toBe(true);
    expect(await notifier.notify(type, last)).toBe(false);
  },
);

test('only notifications of the site itself bypass the quotas', async () => {
  const past = await admin.column(
    `select proname from pg_proc where prosrc ~ 'insert into public.notifications' and proname <> 'notify'
       and prosrc !~ $$insert into public.notifications \\(type, receiver_id, data\\)\\s+(with |select )?('deskDecision'|.*'deskDecision')$$ order by 1`,
  );
  expect(past).toEqual([]);
});
