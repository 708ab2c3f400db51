// Fixtures of the database tests: a separate database, its users, and SQL that runs with a user's role.
import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect } from 'vitest';
import { openDatabase } from '#/host/db/database.ts';
import type { Claims } from '#/host/lib/tokens.ts';
import { atEnd } from '../../testing/at-end.ts';
import { statement, type Statement } from '../../testing/statement.ts';
import { createTestDatabase } from '../../testing/test-host.ts';

type Row = Record<string, unknown>;

export interface Caller {
  /** Runs SQL with this caller's role and claims, as REST does. Rejects with PostgreSQL's error. */
  rows<R extends Row = Row>(...sql: Statement): Promise<R[]>;
  /** Returns the first column of the first row. */
  value(...sql: Statement): Promise<unknown>;
  /** Returns the first column of all rows. */
  column<Value = string>(...sql: Statement): Promise<Value[]>;
  /** Calls a function with named arguments and returns its single value. */
  call(name: string, parameters?: Row): Promise<unknown>;
}

export interface TestUser extends Caller {
  id: string;
  name: string;
}

export async function createFixtures() {
  const database = openDatabase(await createTestDatabase());
  atEnd(() => database.close());

  function caller(run: (text: string, values: unknown[]) => Promise<pg.QueryResult>): Caller {
    const rows = async <R extends Row>(...sql: Statement) =>
      (await run(...statement(sql))).rows as R[];
    const column = async <Value>(...sql: Statement) =>
      (await rows(...sql)).map((row) => Object.values(row)[0] as Value);
    const value = async (...sql: Statement) => (await column(...sql))[0];
    return {
      rows,
      value,
      column,
      call(name, parameters = {}) {
        const names = Object.keys(parameters);
        const list = names.map((key, index) => `${key} => $${index + 1}`).join(', ');
        return value(`select * from public.${name}(${list})`, Object.values(parameters));
      },
    };
  }
  const claimed = (claims: Claims) =>
    caller((text, values) => database.asCaller(claims, (client) => client.query(text, values)));

  /** A caller with all privileges, for setting up tests and reading what other callers cannot see. */
  const admin = caller((text, values) => database.pool.query(text, values));
  /** Adds visits of an hour, this many days ago. */
  const visited = async (park: number, users: readonly TestUser[], daysAgo = 0) => {
    await admin.rows`insert into public.check_ins (user_id, park_id, dog_count, started_at, expires_at, ended_at)
       select id, ${park}, 1, moment, moment + interval '1 hour', moment + interval '1 hour'
       from unnest(${users.map(({ id }) => id)}::uuid[]) id, (select now() - make_interval(days => ${daysAgo}, hours => 1) as moment) clock`;
  };
  /** Adds busy hours: a week ago, this many dogs were at each of these parks during an hour. */
  const busyLastWeek = async (hours: readonly [park: number, hour: number, dogs: number][]) => {
    await admin.rows(
      `insert into private.busy_hours (park_id, day, hour, dogs)
       select park, (now() at time zone 'Asia/Jerusalem')::date - 7, hour, dogs
       from unnest($1::bigint[], $2::int[], $3::numeric[]) of (park, hour, dogs)`,
      [0, 1, 2].map((column) => hours.map((each) => each[column])),
    );
  };
  const park = async (name = 'Test park') => {
    const id =
      await admin.value`insert into public.parks (lat, long, status) values (32.1, 34.8, 'approved') returning id`;
    await admin.rows`insert into public.park_translations values (${id}, 'en', ${name}, 'Tel Aviv-Yafo', '1 HaGina St')`;
    return Number(id);
  };
  /** Creates a user who has confirmed the age and accepted the terms, unless specified otherwise. */
  const user = async (
    name: string,
    { consent = true, hidden = false, language = 'en' } = {},
  ): Promise<TestUser> => {
    const id = randomUUID();
    await admin.rows(
      `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), $3)`,
      [id, `${id}@example.test`, { full_name: name, language, age_confirmed: consent }],
    );
    if (consent)
      await admin.rows`update private.user_consents set terms_accepted_at = now(), licence_agreed_at = now() where user_id = ${id}`;
    if (hidden) await admin.rows(`update public.users set hidden = true where id = $1`, [id]);
    return { id, name, ...claimed({ role: 'authenticated', sub: id, aud: 'authenticated' }) };
  };
  const users = async <const Names extends readonly string[]>(...names: Names) => {
    const made: TestUser[] = [];
    for (const name of names) made.push(await user(name));
    return made as { -readonly [Index in keyof Names]: TestUser };
  };
  const service = claimed({ role: 'service_role' });
  const anonymous = claimed({ role: 'anon' });
  /** Waits until this many connections wait for a lock. */
  const waiting = (many: number) =>
    expect
      .poll(
        () =>
          admin.value`select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      .toBe(many);
  return {
    waiting,
    /** Starts a transaction that has run this statement and stays open until `end`, so that other callers wait for its locks. */
    async hold(text: string, values: unknown[] = []) {
      const client = await database.pool.connect();
      let isOpen = true;
      const finish = async (how: 'commit' | 'rollback') => {
        if (!isOpen) return;
        isOpen = false;
        await client.query(how);
        client.release();
      };
      // Rolls back if the test fails, so that no other connection waits for the locks.
      atEnd(() => finish('rollback'));
      await client.query('begin');
      await client.query(text, values);
      return { client, end: () => finish('commit') };
    },
    database,
    admin,
    anonymous,
    service,
    user,
    users,
    /** Creates this many users concurrently. */
    crowd: (size: number) =>
      Promise.all(Array.from({ length: size }, (_, index) => user(`P${index}`))),
    /**
     * Creates a user with a role at the desk and a session that used the second factor (aal2). With `fresh`, the login was just
     * now.
     */
    async moderator(
      name: string,
      { role = 'moderator', language = 'en', fresh = false, factor = 'totp' } = {},
    ): Promise<TestUser> {
      const { id } = await user(name, { language });
      await admin.rows(
        `with factor as (insert into auth.mfa_factors (user_id, factor_type, status) values ($1, 'totp', 'verified') returning id)
         insert into public.user_roles (user_id, role, factor_id) select $1, $2, id from factor`,
        [id, role],
      );
      const timestamp = Math.floor(Date.now() / 1000);
      const claims = {
        role: 'authenticated',
        sub: id,
        aud: 'authenticated',
        aal: 'aal2',
        ...(fresh && { amr: [factor, 'password'].map((method) => ({ method, timestamp })) }),
      } as const;
      return { id, name, ...claimed(claims) };
    },
    /** Returns a session of this user that used only the password. */
    withPasswordOnly: ({ id }: TestUser) =>
      claimed({ role: 'authenticated', sub: id, aal: 'aal1' }),
    park,
    visited,
    busyLastWeek,
    /** Makes users regulars by adding visits on two earlier days, at a new park unless one is given. */
    async regulars(users: readonly TestUser[], where?: number) {
      const at = where ?? (await park('Elsewhere'));
      for (const daysAgo of [2, 3]) await visited(at, users, daysAgo);
    },
    async leave(visitor: TestUser, key?: string) {
      const visit =
        await admin.value`select id from public.check_ins where user_id = ${visitor.id} and ended_at is null`;
      return visitor.call('check_out', { p_visit_id: visit, ...(key && { p_key: key }) });
    },
    /** Publishes the ranks of anonymous reviews now instead of the next day. */
    publishRanks: () => admin.rows('update public.reviews set public_rank = rank'),
    async dogsNow(at: number) {
      const status = (await anonymous.call('park_status', { p_park_id: at })) as {
        dogs_now: number;
      };
      return status.dogs_now;
    },
    /** Returns the contents of a calendar feed; null if the URL does not work. */
    calendarOf: (secret: unknown) =>
      service.call('calendar_of', {
        p_secret_hash: createHash('sha256').update(String(secret)).digest(),
      }),
    /** Returns the complete data export of a user, with all pages merged. */
    async exportOf(userId: string) {
      interface Page {
        heads: Row | null;
        lists: { name: string; items: unknown[] }[];
        after: object | null;
      }
      const whole: Record<string, unknown> = {};
      let after: object | null = null;
      do {
        const page = (await service.call('export_user_page', {
          p_user_id: userId,
          p_after: after,
        })) as Page;
        Object.assign(whole, page.heads);
        for (const { name, items } of page.lists)
          whole[name] = [...((whole[name] ?? []) as unknown[]), ...items];
        ({ after } = page);
      } while (after);
      return whole;
    },
    async befriend(a: TestUser, b: TestUser) {
      await a.call('send_friend_request', { p_user_id: b.id });
      await b.call('accept_friend_request', { p_user_id: a.id });
    },
  };
}

export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

export const addDog = (owner: Caller, name = 'Rex') =>
  owner.value`insert into dogs (name, breed, gender, birthday) values (${name}, 'mixed', 'MALE', '2020-01-01') returning id` as Promise<string>;

/** Registers another browser of a user for pushes. */
/** Uploads a photo of the visit, and returns its ID. */
export async function addVisitPhoto(owner: Caller, visit: unknown, dog: string): Promise<string> {
  const id = (await owner.call('add_visit_photo', { p_visit_id: visit, p_dog_id: dog })) as string;
  await owner.rows(`insert into storage.objects (bucket_id, name) values ('visit-photos', $1)`, [
    id,
  ]);
  return id;
}

export const subscribe = (who: Caller) =>
  who.call('subscribe_to_push', {
    p_subscription: {
      endpoint: `https://push.example.org/${randomUUID()}`,
      keys: { p256dh: 'a'.repeat(87), auth: 'a'.repeat(22) },
    },
  });

/** The owner creates an invite link for a dog, and another user opens it and is confirmed. */
export async function join(owner: Caller, dog: string, who: Caller, role = 'keeper') {
  const secret = await owner.call('make_dog_invite', {
    p_dog_id: dog,
    p_role: role,
    p_ends_at: role === 'walker' ? inHours(24) : null,
  });
  await who.call('dog_invite', { p_secret: secret, p_request: true });
  const { invites } = (await owner.call('dog_carers', { p_dog_id: dog })) as {
    invites: { id: string; requested_by: string | null }[];
  };
  const asked = invites.find(({ requested_by }) => requested_by !== null);
  await owner.call('respond_to_dog_invite', { p_invite_id: asked?.id, p_accept: true });
}

/** Saves a review, by default with three stars and no text. */
export const saveReview = (author: Caller, park: number, more: Row = {}) =>
  author.call('save_review', {
    p_park_id: park,
    p_title: '',
    p_content: '',
    p_rank: 3,
    ...more,
  }) as Promise<{ id: string }>;

/** Uploads a photo of a park and returns its path. The photo is pending unless the bucket is 'parks'. */
export async function contributePhoto(who: Caller, park: number, bucket = 'pending-photos') {
  const path = `${park}/other/photo-${randomUUID()}.webp`;
  await who.rows`insert into storage.objects (bucket_id, name, version) values (${bucket}, ${path}, 'v')`;
  return path;
}

export const submitPark = (contributor: Caller, more: Row = {}) =>
  contributor.call('submit_park', {
    p_name: 'New corner',
    p_city: 'Haifa',
    p_address: '2 HaYam St',
    p_lat: 32.8,
    p_long: 35,
    ...more,
  });

/** Invites guests to a meeting in this many hours and returns the IDs of the invites. */
export const inviteTo = (park: number, host: Caller, guests: readonly TestUser[], hours = 1) =>
  host.call('invite_to_park', {
    p_park_id: park,
    p_friend_ids: guests.map(({ id }) => id),
    p_meet_at: inHours(hours),
  }) as Promise<string[]>;

export const claim = (who: Caller, type: string, id: unknown) =>
  who.call('desk_claim', { p_type: type, p_id: String(id) });

/** Approves the current version of an item of the desk, or rejects the item if a reason is given. @returns the decision's ID */
export async function decide(who: Caller, type: string, id: unknown, reason: string | null = null) {
  const item = 'id' in who && reason === null ? await claim(who, type, id) : null;
  return who.call('desk_decide', {
    p_type: type,
    p_id: String(id),
    p_approve: reason === null,
    p_reason: reason,
    p_version: (item as { version: string } | null)?.version,
  });
}

export const sanction = (
  who: Caller,
  type: string,
  id: string,
  what: string,
  until: Date | null = null,
) =>
  who.call('desk_impose_sanction', {
    p_type: type,
    p_id: id,
    p_sanction: what,
    p_reason: 'harassment',
    p_until: until,
  });

/** Returns the code of a failed call: one of our own codes, or PostgreSQL's SQLSTATE. */
export async function errorCode(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    return code === 'P0001' ? message : String(code);
  }
  return 'not refused';
}

/** Calls all functions with this prefix without arguments and returns their different results. */
export async function probeRpcs(admin: Caller, who: Caller, prefix: string): Promise<string[]> {
  const functions = await admin.rows<{ name: string; nothing: string }>`
    select proname as name, array_to_string(array(
      select 'null::' || format_type(t, null) from unnest(proargtypes::oid[]) t), ', ') as nothing
    from pg_proc where pronamespace = 'public'::regnamespace and starts_with(proname, ${prefix})
      and has_function_privilege('authenticated', oid, 'execute')`;
  const answers = functions.map(async ({ name, nothing }) => {
    const answer = await errorCode(who.rows(`select * from public.${name}(${nothing})`));
    return answer === '42501' ? answer : `${name}: ${answer}`;
  });
  return [...new Set(await Promise.all(answers))];
}
