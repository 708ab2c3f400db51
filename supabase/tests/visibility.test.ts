// Tests what each role of docs/security.md can learn, by calling or reading every function, view, table, export, calendar and push.
// No role may learn anything that the tables of that document deny.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  addDog,
  addVisitPhoto,
  createFixtures,
  inHours,
  join,
  subscribe,
  type Caller,
  type TestUser,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous, database } = fixtures;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Row = Record<string, Json>;

/** Returns the rows in a result. Each also contains the scalar fields of the objects around it. */
function rowsIn(value: Json, outer: Row = {}): Row[] {
  if (Array.isArray(value)) return value.flatMap((item) => rowsIn(item, outer));
  if (value === null || typeof value !== 'object') return [{ ...outer, value }];
  const isList = (field: Json) =>
    Array.isArray(field) && field.some((item) => item !== null && typeof item === 'object');
  const entries = Object.entries(value);
  const own = { ...outer, ...Object.fromEntries(entries.filter(([, field]) => !isList(field))) };
  const nested = entries.filter(([, field]) => isList(field));
  return [own, ...nested.flatMap(([, field]) => rowsIn(field, own))];
}

/** Creates users with relationships to Ann, and actions of Ann that must not be revealed. */
async function createWorld({ hides = false } = {}) {
  const [ann, bob, cem] = await fixtures.users('Ann Marker', 'Bob', 'Cem');
  const [here, weekly, quiet] = [
    await fixtures.park('Here Park'),
    await fixtures.park('Weekly Park'),
    await fixtures.park('Quiet Park'),
  ];
  await fixtures.regulars([ann, bob, cem]);
  await fixtures.visited(weekly, [ann, bob, cem], 40);
  const wants = ({ id }: TestUser) =>
    admin.rows`insert into notifications_preferences (user_id, friend_there) values (${id}, true)`;
  await wants(ann);
  const pack = await ann.call('make_pack_time', {
    p_park_id: weekly,
    p_weekday: 2,
    p_starts: '18:00',
  });
  for (const guest of [bob, cem]) {
    await fixtures.befriend(ann, guest);
    await guest.call('respond_to_pack_time', { p_pack_time_id: pack, p_comes: true });
  }
  const dog = await addDog(ann, 'Lost Marker');
  const watchers: Record<string, TestUser> = {};
  const calendars = new Map<string, unknown>();
  for (const name of [
    'keeper',
    'former keeper',
    'friend',
    'ex-friend',
    'user I blocked',
    'user who blocked me',
    'stranger',
  ]) {
    const user = await fixtures.user(name);
    watchers[name] = user;
    await wants(user);
    await subscribe(user);
    calendars.set(user.id, await user.call('make_calendar_feed'));
    await admin.rows`insert into favourite_parks (user_id, park_id) values (${user.id}, ${here})`;
    if (/friend|block/.test(name)) await fixtures.befriend(ann, user);
    if (/keeper|blocked/.test(name)) await join(ann, dog, user);
  }
  const lost = await ann.call('report_lost_dog', {
    p_dog_id: dog,
    p_lat: 32.1034,
    p_long: 34.8071,
  });
  const tag = await ann.call('dog_tag', { p_dog_id: dog });
  const sighting = randomUUID();
  await anonymous.call('send_from_tag', {
    p_code: tag,
    p_note: 'At the gate',
    p_phone: '050-765-4321',
    p_secret: randomUUID(),
  });
  await bob.call('report_sighting', {
    p_id: sighting,
    p_lost_id: lost,
    p_lat: 32.1111,
    p_long: 34.8,
  });
  const review = await ann.call('save_review', {
    p_park_id: quiet,
    p_title: 'Quiet words',
    p_content: '',
    p_rank: 4,
    p_anonymous: true,
  });
  const hazard = await ann.call('report_hazard', { p_park_id: quiet, p_hazard: 'glass' });
  const code = await ann.call('make_friend_code', { p_dog_id: dog });
  const visit = (await ann.call('check_in', {
    p_park_id: here,
    p_dog_ids: [dog],
    p_location: { lat: 32.1, long: 34.8 },
  })) as { check_in_id: string };
  const photo = await addVisitPhoto(ann, visit.check_in_id, dog);
  await admin.rows(`update private.jobs set due_at = now()`);
  await admin.rows('select private.notify_of_arrivals()');
  await admin.rows('select private.notify_of_lost_dogs()');
  // These relationships end last, so that the test fails if data stored for these users is not withdrawn.
  const { 'former keeper': former, 'ex-friend': ex } = watchers as Record<string, TestUser>;
  await ann.call('remove_dog_carer', { p_dog_id: dog, p_user_id: former?.id });
  await ann.call('unfriend', { p_user_id: ex?.id });
  await ann.call('block_user', { p_user_id: watchers['user I blocked']?.id });
  await watchers['user who blocked me']?.call('block_user', { p_user_id: ann.id });

  const isAnn = (text: string) => text.includes(ann.id) || text.includes(ann.name);
  const isAt = (text: string, park: number, name: string) =>
    text.includes(name) || new RegExp(`"(p_)?park_ids?":\\[?"?${park}\\b`).test(text);
  /**
   * For each column of docs/security.md, a function that returns true if a result reveals it. The first two also check the
   * arguments of the call.
   */
  const shows: Record<string, (row: string, result: string) => boolean> = {
    'where I am': (row) => isAnn(row) && isAt(row, here, 'Here Park'),
    'my name at a weekly meeting': (row) => isAnn(row) && isAt(row, weekly, 'Weekly Park'),
    'its day and time': (_, result) => result.includes(String(pack)),
    'the exact place': (_, result) => result.includes('32.1034'),
    'where others saw it': (_, result) => result.includes('32.1111'),
    'a finder’s number': (_, result) => result.includes('765-4321'),
    'who wrote an anonymous review': (_, result) =>
      isAnn(result) && /Quiet words|Quiet Park/.test(result),
    'who reported a hazard': (_, result) => isAnn(result) && result.includes(String(hazard)),
  };
  /** The argument for each parameter name. Each value is one with which a function could reveal what Ann did. */
  const values: Record<string, unknown> = {
    ...{ p_park_ids: [here, weekly, quiet], p_into: quiet, p_duplicate_of: null, p_town: 'Town' },
    p_file: 'parks.csv',
    ...{ p_user_id: ann.id, p_friend_ids: [ann.id], user_id: ann.id, p_dog_id: dog, dog_id: dog },
    ...{ p_lost_id: lost, p_report_id: hazard, p_pack_time_id: pack, p_code: tag, p_id: lost },
    ...{ p_review_id: (review as { id: string }).id, p_visit_id: ann.id, p_check_in_id: ann.id },
    ...{
      p_invite_id: ann.id,
      p_decision_id: ann.id,
      notification_id: ann.id,
      p_device_id: 'device',
    },
    ...{
      p_session_id: ann.id,
      p_secret: code,
      p_device: 'd'.repeat(32),
      p_sighting_id: sighting,
      p_path: 'path',
      p_key: null,
      input: 'ann',
    },
    ...{
      p_query: 'ann',
      p_language: 'en',
      p_type: 'user',
      p_reason: 'spam',
      p_note: 'Note',
      p_version: 'a',
    },
    ...{ p_lat: 32.1, p_long: 34.8, p_location: null, p_meet_at: inHours(2), p_skip: null },
    ...{ p_minutes: 15, p_role: 'keeper', p_offer: true, p_condition: 'muddy', p_hazard: 'glass' },
    ...{ p_answer: 'Answer', p_phone: '050-111-2222', p_shows_visit: true },
    ...{ p_photo_id: photo, p_is_kept: true },
    ...{ p_title: 'Title', p_content: 'Content', p_rank: 3 },
    ...{ p_weekday: 2, p_starts: '18:00', p_comes: true, p_accept: true, p_approve: true },
  };
  if (hides) await admin.rows`update users set hidden = true where id = ${ann.id}`;
  const pushes = await admin.rows<Row & { receiver: string }>`
    select n.receiver_id as receiver, p.* from public.claim_pushes(p_limit => 1000, p_type => 'send-web-push') p
    join public.notifications n on n.id = p.notification_id`;
  return { ann, watchers, shows, values, calendars, pushes, parks: [here, weekly, quiet] };
}

type World = Awaited<ReturnType<typeof createWorld>>;

interface Routine {
  name: string;
  parameters: { name: string; type: string; is_optional: boolean }[];
  writes: boolean;
}

const routines = await admin.rows<Routine & Row>`
  select p.proname as name, p.provolatile = 'v' as writes, (
    select coalesce(jsonb_agg(jsonb_build_object('name', p.proargnames[n], 'type', format_type(t, null),
      'is_optional', n > p.pronargs - p.pronargdefaults) order by n), '[]')
    from unnest(p.proargtypes::oid[]) with ordinality a (t, n)) as parameters
  from pg_proc p where p.pronamespace = 'public'::regnamespace
    and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))
  order by 1`;
const relations = await admin.rows<{ name: string; columns: string }>`
  select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ') as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
    and has_column_privilege('authenticated', c.oid, a.attnum, 'select')
  group by c.relname order by 1`;

/** Returns the columns of docs/security.md that a caller learns, each with the functions and tables that reveal it. */
async function look(world: World, id: string | null): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const check = (surface: string, result: Json, given: Row = {}) => {
    for (const row of rowsIn(result)) {
      const text = JSON.stringify(row);
      for (const [column, isShown] of Object.entries(world.shows))
        if (isShown(JSON.stringify({ ...given, ...row }), text))
          found.set(column, (found.get(column) ?? new Set()).add(surface));
    }
  };
  const role = id ? 'authenticated' : 'anon';
  const done = new Error('rolled back');
  await database
    .asCaller({ role, ...(id && { sub: id, aud: 'authenticated' }) }, async (client) => {
      const attempt = async (sql: string, parameters: unknown[] = []) => {
        await client.query('savepoint attempt');
        try {
          return JSON.parse(JSON.stringify((await client.query(sql, parameters)).rows)) as Json;
        } catch {
          await client.query('rollback to attempt');
          return null;
        }
      };
      for (const { name, columns } of relations)
        check(name, await attempt(`select ${columns} from ${name}`));
      for (const { name, parameters, writes } of routines) {
        const given = parameters.filter(
          (parameter) => !parameter.is_optional || parameter.name in world.values,
        );
        const takesPark = given.some((parameter) => parameter.name === 'p_park_id');
        for (const park of takesPark ? world.parks : [0]) {
          await client.query('savepoint call');
          const list = given.map(
            (parameter, index) => `${parameter.name} => $${index + 1}::${parameter.type}`,
          );
          const values: Record<string, unknown> = { ...world.values, p_park_id: park };
          const result = await attempt(
            `select * from public.${name}(${list.join(', ')})`,
            given.map((parameter) => values[parameter.name] ?? null),
          );
          check(name, result, takesPark ? { p_park_id: park } : {});
          // A call may give access to a meeting or a friendship. Guests of the caller's own invite reveal nothing new.
          if (writes && result !== null && name !== 'invite_to_park')
            check(`my_meetings after ${name}`, await attempt('select * from public.my_meetings()'));
          await client.query('rollback to call');
        }
      }
      throw done;
    })
    .catch((error: unknown) => {
      if (error !== done) throw error;
    });
  if (id) {
    check('export', (await fixtures.exportOf(id)) as Json);
    check('calendar', (await fixtures.calendarOf(world.calendars.get(id))) as Json);
    check(
      'pushes',
      world.pushes.filter(({ receiver }) => receiver === id),
    );
  }
  return found;
}

/** Returns the cells of a table in docs/security.md, by role and column. */
function tableOf(first: string): Map<string, Record<string, string>> {
  const lines = readFileSync('docs/security.md', 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${first} `));
  const cellsOf = (line = '') =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const [, ...columns] = cellsOf(lines[start]);
  const table = new Map<string, Record<string, string>>();
  for (const line of lines.slice(start + 2, lines.indexOf('', start))) {
    const [names = '', ...cells] = cellsOf(line);
    for (const name of names.split(' / '))
      table.set(
        name,
        Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
      );
  }
  return table;
}

test("each parameter of a function that users call has a value that leads to Ann's actions, or is optional", async () => {
  const { values } = await createWorld();
  // Functions of the desk, which these roles cannot use, and functions that return only the caller's own data.
  const own =
    /^(desk_|town_|open_desk|suggest_park_details|submit_park|report_app_error|subscribe_to_push)/;
  const unknown = routines
    .filter(({ name }) => !own.test(name))
    .flatMap(({ name, parameters }) =>
      parameters
        .filter((each) => !each.is_optional && each.name !== 'p_park_id' && !(each.name in values))
        .map((each) => `${name} ${each.name}`),
    );
  expect(unknown).toEqual([]);
});

test('each role sees exactly what the tables of docs/security.md say', async () => {
  const company = tableOf('my presence');
  const lost = tableOf('my lost dog');
  const open = await createWorld();
  const hidden = await createWorld({ hides: true });
  const roles: [string, World, TestUser | Caller | undefined][] = [
    ...Object.entries(open.watchers).map(([name, user]): [string, World, TestUser] => [
      name,
      open,
      user,
    ]),
    ['friend, while I hide', hidden, hidden.watchers.friend],
    ['visitor', open, anonymous],
  ];
  const problems: string[] = [];
  for (const [role, world, caller] of roles) {
    const found = await look(world, (caller as Partial<TestUser>).id ?? null);
    for (const column of Object.keys(world.shows)) {
      const surfaces = [...(found.get(column) ?? [])];
      // For presence, a keeper has the rights of a stranger.
      const cells = { ...lost.get(role), ...company.get(role === 'keeper' ? 'stranger' : role) };
      const cell = cells[column] ?? 'no';
      if ((cell === 'yes') !== surfaces.length > 0)
        problems.push(`${column}: ${role}: ${cell} by ${surfaces.join(', ') || 'nothing'}`);
    }
  }
  expect(problems).toEqual([]);
});
