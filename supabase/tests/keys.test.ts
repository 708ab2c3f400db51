// Tests the idempotency key of every function that has one: a key works once for one user and one command, even if other arguments
// are sent with it later.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDog, createFixtures, errorCode, type TestUser } from './fixtures.ts';

type Body = Record<string, unknown>;

/** Creates the data that the command needs for two users, and returns a request body for each. */
type Arrange = (users: readonly TestUser[]) => Promise<{
  bodies: readonly Body[];
  /** Another body for the same command, if it has arguments. The test sends it with a used key. */
  another: Body;
}>;

const fixtures = await createFixtures();
const { admin } = fixtures;
const friend = await fixtures.user('Friend');
// Runs the daily job first, so that it does not change the demo's rows later.
await admin.rows('select private.reduce_history()');

const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const same = (body: Body, another: Body) => ({ bodies: [body, body], another });

const aPark = async <T>(make: (park: number, other: number) => T): Promise<T> =>
  make(await fixtures.park(), await fixtures.park('Other'));

const twoReports: Arrange = async () => {
  const [one, other] = await Promise.all(
    ['muddy', 'brokenFountain'].map(async (condition) => ({
      p_report_id: await friend.call('report_condition', {
        p_park_id: await fixtures.park(),
        p_condition: condition,
      }),
    })),
  );
  return same(one as Body, other as Body);
};

async function checkedIn(users: readonly TestUser[], more: Body = {}): Promise<Body[]> {
  const park = await fixtures.park();
  const bodies = [];
  for (const user of users) {
    const visit = (await user.call('check_in', { p_park_id: park })) as { check_in_id: string };
    bodies.push({ p_visit_id: visit.check_in_id, ...more });
  }
  return bodies;
}

const COMMANDS: Record<string, Arrange> = {
  check_in: () =>
    aPark((park, other) => same({ p_park_id: park }, { p_park_id: other, p_switch: true })),
  check_out: async (users) => {
    const bodies = await checkedIn(users);
    return { bodies, another: { p_visit_id: randomUUID() } };
  },
  undo_check_in: async (users) => {
    const bodies = await checkedIn(users);
    return { bodies, another: { p_visit_id: randomUUID() } };
  },
  extend_stay: async (users) => {
    const bodies = await checkedIn(users, { p_minutes: 30 });
    return { bodies, another: { ...bodies[0], p_minutes: 60 } };
  },
  save_review: () =>
    aPark((park, other) => {
      const review = { p_park_id: park, p_title: 'Good', p_content: 'Very', p_rank: 5 };
      return same(review, { ...review, p_park_id: other, p_content: 'Not at all', p_rank: 1 });
    }),
  report_condition: () =>
    aPark((park, other) =>
      same(
        { p_park_id: park, p_condition: 'muddy' },
        { p_park_id: other, p_condition: 'gateClosed' },
      ),
    ),
  confirm_report: twoReports,
  end_report: twoReports,
  report_hazard: () =>
    aPark((park, other) =>
      same({ p_park_id: park, p_hazard: 'glass' }, { p_park_id: other, p_hazard: 'poison' }),
    ),
  inform_city: async (users) => {
    const park = await fixtures.park();
    await fixtures.visited(park, users);
    const [one, other] = await Promise.all(
      ['glass', 'awns'].map((hazard) =>
        friend.call('report_hazard', { p_park_id: park, p_hazard: hazard }),
      ),
    );
    return same({ p_report_id: one }, { p_report_id: other });
  },
  respond_to_park_question: async (users) => {
    const visits: unknown[] = [];
    await checkedIn(users);
    for (const user of users)
      visits.push(((await user.call('park_question')) as { check_in_id: string }).check_in_id);
    return {
      bodies: visits.map((id) => ({ p_check_in_id: id, p_value: 'yes' })),
      another: { p_check_in_id: visits[0], p_value: 'no' },
    };
  },
  send_friend_request: async () => {
    const [one, other] = await fixtures.users('One', 'Other');
    return same({ p_user_id: one.id }, { p_user_id: other.id });
  },
  use_friend_code: async () => {
    const dog = await addDog(friend);
    const code = async () => {
      const body = {
        p_secret: await friend.call('make_friend_code', { p_dog_id: dog }),
        p_device: randomUUID().replaceAll('-', ''),
      };
      await fixtures.anonymous.call('scan_friend_code', { ...body, p_keep: true });
      return body;
    };
    const [one, other] = [await code(), await code()];
    return { bodies: [one, other], another: other };
  },
  invite_to_park: async (users) => {
    for (const user of users) await fixtures.befriend(user, friend);
    return aPark((park, other) => {
      const invite = { p_park_id: park, p_friend_ids: [friend.id], p_meet_at: soon() };
      return same(invite, { ...invite, p_park_id: other });
    });
  },
  submit_park: () => {
    const park = { p_name: 'New', p_city: 'Haifa', p_address: '1 Sea St', p_lat: 32, p_long: 35 };
    return Promise.resolve(same(park, { ...park, p_name: 'Newer' }));
  },
  suggest_park_details: () =>
    aPark((park, other) =>
      same({ p_park_id: park, p_size: 900 }, { p_park_id: other, p_shade: 4 }),
    ),
};

/** Returns a digest of all stored data, except the keys themselves and the rate limits. */
async function everything(): Promise<unknown> {
  const tables = await admin.column(
    `select format('%I.%I', schemaname, tablename) from pg_tables
     where schemaname in ('public', 'private') and tablename not in ('idempotency_keys', 'rates') order by 1`,
  );
  const prints = tables.map(
    (name) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as rows from ${name} t`,
  );
  // Sorted, because PostgreSQL may read the tables in parallel.
  return admin.rows(`${prints.join(' union all ')} order by name`);
}

test('the thousand newest keys of a user are kept', async () => {
  const [eve, dan] = await fixtures.users('Eve', 'Dan');
  const count = (who: TestUser) =>
    admin.value`select count(*)::integer from private.idempotency_keys where user_id = ${who.id}`;
  const send = `insert into private.idempotency_keys (user_id, key, operation, created_at)
    select $1, gen_random_uuid(), 'check_out', now() - make_interval(secs => n) from generate_series(1, $2) n`;
  await admin.rows(send, [eve.id, 1200]);
  await admin.rows(send, [dan.id, 900]);
  const newest = randomUUID();
  await eve.call('check_out', { p_visit_id: randomUUID(), p_key: newest });
  await admin.rows('select private.reduce_history()');
  expect([await count(eve), await count(dan)]).toEqual([1000, 900]);
  expect(
    await admin.rows('select from private.idempotency_keys where key = $1', [newest]),
  ).toHaveLength(1);
});

test('every function with a key is listed here', async () => {
  const names = await admin.column(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace and 'p_key' = any (proargnames)`,
  );
  expect(names.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

test.each(Object.entries(COMMANDS))(
  '%s: a key runs it once, with any body, for weeks; keys of other users are separate',
  async (name, arrange) => {
    const users = [await fixtures.user('Ann'), await fixtures.user('Bob')] as const;
    const { bodies, another } = await arrange(users);
    const [ann, bob] = users;
    const key = randomUUID();
    const before = await everything();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ann.call(name, { ...bodies[0], p_key: key })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const after = await everything();
    expect(after).not.toEqual(before);

    expect(await ann.call(name, { ...another, p_key: key })).toEqual(answers[0]);
    await admin.rows`update private.idempotency_keys set created_at = now() - interval '29 days' where key = ${key}`;
    await admin.rows('select private.reduce_history()');
    expect(await ann.call(name, { ...bodies[0], p_key: key })).toEqual(answers[0]);
    const otherDeed =
      name === 'check_out'
        ? ann.call('extend_stay', { p_visit_id: key, p_minutes: 30, p_key: key })
        : ann.call('check_out', { p_visit_id: key, p_key: key });
    expect(await errorCode(otherDeed)).toBe('invalid_input');
    expect(await everything()).toEqual(after);

    await bob.call(name, { ...bodies[1], p_key: key });
    expect(await everything()).not.toEqual(after);
  },
);
