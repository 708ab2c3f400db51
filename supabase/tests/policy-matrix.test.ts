// Who may do what with whose rows, asked through the official client over HTTP: every table and view, every kind of caller.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHost, type Client, type TestHost } from '../../server/testing/test-host.ts';

/** The callers, in the order of the columns below; `hidden` is a stranger who asks for the rows of a hidden owner. */
const CALLERS = ['owner', 'friend', 'stranger', 'blocked', 'visitor', 'hidden'] as const;
type Caller = (typeof CALLERS)[number];

interface Owner {
  id: string;
  client: Client;
  dog: string;
  checkIn: string;
  approvedPark: number;
  pendingPark: number;
  photo: string;
}

interface Relation {
  name: string;
  /** Which rows are the owner's. */
  rows: (owner: Owner) => Record<string, unknown>;
  /** A row that would be the owner's. */
  row?: (owner: Owner) => Record<string, unknown>;
  patch?: Record<string, unknown>;
  /**
   * One word per caller. select, update, delete: how many of the owner's rows they reach, or `no` (refused).
   * insert: `yes` or `no`.
   */
  select: string;
  insert?: string;
  update?: string;
  delete?: string;
}

const NOBODY = 'no no no no no no';

const RELATIONS: Relation[] = [
  {
    name: 'users',
    rows: (owner) => ({ id: owner.id }),
    row: (owner) => ({ id: owner.id, name: 'Somebody' }),
    patch: { name: 'Renamed' },
    select: '1 1 1 0 no 0',
    update: '1 0 0 0 no 0',
  },
  {
    name: 'dogs',
    rows: (owner) => ({ owner: owner.id }),
    row: (owner) => ({
      owner: owner.id,
      name: 'Rex',
      breed: 'mixed',
      gender: 'MALE',
      birthday: '2021-05-01',
    }),
    patch: { name: 'Renamed' },
    select: '1 1 1 0 no 0',
    insert: 'yes no no no no no',
    update: '2 0 0 0 no 0',
  },
  {
    name: 'parks',
    rows: (owner) => ({ id: owner.approvedPark }),
    row: () => ({ lat: 1, long: 1, status: 'approved' }),
    patch: { shade: 5 },
    select: '1 1 1 1 1 1',
    // Answered with the park, which stays as it is: a suggestion was made.
    update: '1 1 1 1 no 1',
  },
  {
    name: 'parks',
    rows: (owner) => ({ id: owner.pendingPark }),
    patch: { shade: 5 },
    select: '1 0 0 0 0 0',
    update: '1 0 0 0 no 0',
  },
  {
    name: 'park_translations',
    rows: (owner) => ({ park_id: owner.approvedPark }),
    row: (owner) => ({
      park_id: owner.approvedPark,
      language: 'ar',
      name: 'a',
      city: 'b',
      address: 'c',
    }),
    patch: { name: 'Renamed' },
    select: '1 1 1 1 1 1',
  },
  {
    name: 'park_translations',
    rows: (owner) => ({ park_id: owner.pendingPark }),
    select: '1 0 0 0 0 0',
  },
  {
    name: 'park_suggestions',
    rows: (owner) => ({ park_id: owner.approvedPark, size: 1234 }),
    row: (owner) => ({ park_id: owner.approvedPark, user_id: owner.id, shade: 3 }),
    patch: { status: 'approved' },
    select: '1 0 0 0 no 0',
  },
  {
    name: 'park_photos',
    rows: (owner) => ({ path: owner.photo }),
    row: (owner) => ({ path: `${owner.photo}2`, park_id: owner.approvedPark, status: 'approved' }),
    patch: { status: 'approved' },
    select: '1 0 0 0 0 0',
  },
  {
    name: 'favourite_parks',
    rows: (owner) => ({ user_id: owner.id }),
    row: (owner) => ({ user_id: owner.id, park_id: owner.approvedPark }),
    patch: { created_at: '2020-01-01' },
    select: '1 0 0 0 no 0',
    insert: 'yes no no no no no',
    delete: '1 0 0 0 no 0',
  },
  {
    name: 'check_ins',
    rows: (owner) => ({ user_id: owner.id }),
    row: (owner) => ({
      user_id: owner.id,
      park_id: owner.approvedPark,
      dog_count: 1,
      expires_at: '2030-01-01',
    }),
    patch: { dog_count: 9 },
    select: '1 0 0 0 no 0',
  },
  {
    name: 'check_in_dogs',
    rows: (owner) => ({ check_in_id: owner.checkIn }),
    row: (owner) => ({ check_in_id: owner.checkIn, dog_id: owner.dog }),
    patch: { dog_id: '00000000-0000-4000-8000-000000000000' },
    select: '1 0 0 0 no 0',
  },
  {
    name: 'park_reviews',
    rows: (owner) => ({ park_id: owner.approvedPark }),
    patch: { title: 'Changed' },
    select: '1 1 1 0 1 1',
  },
  {
    name: 'reviews',
    rows: (owner) => ({ author: owner.id }),
    row: (owner) => ({ author: owner.id, park_id: owner.approvedPark, rank: 1 }),
    patch: { title: 'Changed' },
    select: '1 0 0 0 no 0',
    insert: 'yes no no no no no',
    update: '1 0 0 0 no 0',
    delete: '1 0 0 0 no 0',
  },
  {
    name: 'blocks',
    rows: (owner) => ({ blocker: owner.id }),
    row: (owner) => ({ blocker: owner.id, blocked: owner.id }),
    patch: { created_at: '2020-01-01' },
    select: '1 0 0 0 no 0',
    delete: '1 0 0 0 no 0',
  },
  {
    name: 'notifications',
    rows: (owner) => ({ receiver_id: owner.id }),
    row: (owner) => ({
      receiver_id: owner.id,
      sender_id: owner.id,
      type: 'friendRequest',
      is_ready: true,
    }),
    patch: { title: 'Changed' },
    select: '1 0 0 0 no 0',
  },
  {
    name: 'notifications_preferences',
    rows: (owner) => ({ user_id: owner.id }),
    row: (owner) => ({ user_id: owner.id }),
    patch: { muted: false },
    select: '1 0 0 0 no 0',
    insert: 'yes no no no no no',
    update: '1 0 0 0 no 0',
  },
  {
    name: 'device_tokens',
    rows: (owner) => ({ device_id: `phone of ${owner.id}` }),
    row: (owner) => ({
      user_id: owner.id,
      device_id: `device of ${owner.id}`,
      platform: 'ios',
      token: 'another token',
    }),
    patch: { token: 'a changed token' },
    select: '1 0 0 0 no 0',
    insert: 'yes no no no no no',
    update: '1 0 0 0 no 0',
    delete: '1 0 0 0 no 0',
  },
  {
    name: 'park_invites',
    rows: (owner) => ({ sender_id: owner.id }),
    row: (owner) => ({
      sender_id: owner.id,
      receiver_id: owner.id,
      park_id: owner.approvedPark,
      meet_at: '2030-01-01',
    }),
    patch: { status: 'accepted' },
    select: '1 1 0 0 no 0',
  },
  { name: 'friends', rows: (owner) => ({ user_id: owner.id }), select: '0 1 0 0 no 0' },
  { name: 'friend_requests', rows: (owner) => ({ user_id: owner.id }), select: '0 0 0 0 no 0' },
  { name: 'park_live', rows: (owner) => ({ park_id: owner.approvedPark }), select: '1 1 1 1 1 1' },
  {
    name: 'park_conditions',
    rows: (owner) => ({ park_id: owner.approvedPark }),
    select: '1 1 1 1 1 1',
  },
];

let host: TestHost;
let clients: Record<Caller, Client>;
let owners: Record<'open' | 'hidden', Owner>;

async function done<T>(
  answer: PromiseLike<{ data: T; error: { message: string } | null }>,
): Promise<NonNullable<T>> {
  const { data, error } = await answer;
  if (error) throw new Error(error.message);
  return data as NonNullable<T>;
}

/** A person who has one of everything. */
async function makeOwner(
  name: string,
  friend: { id: string; client: Client },
  blocked: { id: string },
): Promise<Owner> {
  const { id, client } = await host.user(name);
  await done(client.rpc('accept_terms'));
  await done(client.rpc('confirm_age'));
  const [park] = await host.sql<{ id: string }>(
    `insert into public.parks (lat, long, status) values (32.1, 34.8, 'approved') returning id`,
  );
  const approvedPark = Number(park?.id);
  await host.sql(
    `insert into public.park_translations values ($1, 'en', 'A park', 'A city', 'A street')`,
    [approvedPark],
  );
  const { id: dog } = await done(
    client
      .from('dogs')
      .insert({ name: 'Pita', breed: 'mixed', gender: 'FEMALE', birthday: '2020-02-02' })
      .select('id')
      .single(),
  );
  const { check_in_id: checkIn } = (await done(
    client.rpc('check_in', { p_park_id: approvedPark, p_dog_ids: [dog] }),
  )) as { check_in_id: string };
  await done(
    client.rpc('save_review', {
      p_park_id: approvedPark,
      p_title: 'Good',
      p_content: 'Very',
      p_rank: 5,
    }),
  );
  await done(client.rpc('report_condition', { p_park_id: approvedPark, p_condition: 'muddy' }));
  await done(client.rpc('suggest_park_details', { p_park_id: approvedPark, p_size: 1234 }));
  const pendingPark = await done(
    client.rpc('submit_park', {
      p_name: 'New',
      p_city: 'A city',
      p_address: 'A street',
      p_lat: 32,
      p_long: 34,
    }),
  );
  await done(client.from('favourite_parks').insert({ park_id: approvedPark }));
  await done(client.from('notifications_preferences').insert({ user_id: id }));
  await done(
    client
      .from('device_tokens')
      .insert({ device_id: `phone of ${id}`, platform: 'android', token: `token of ${id}` }),
  );
  await done(friend.client.rpc('send_friend_request', { p_user_id: id }));
  await done(client.rpc('accept_friend_request', { p_user_id: friend.id }));
  await done(
    client.rpc('invite_to_park', {
      p_park_id: approvedPark,
      p_friend_ids: [friend.id],
      p_meet_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  );
  await done(client.rpc('block_user', { p_user_id: blocked.id }));
  const photo = `${approvedPark}/other/photo-0b6e7c1e-58a0-4c3b-9d5e-3f1c2a4b5d6e.webp`;
  await host.sql(`insert into public.park_photos (path, park_id) values ($1, $2)`, [
    photo,
    approvedPark,
  ]);
  await host.sql(`insert into private.photo_uploaders values ($1, $2)`, [photo, id]);
  return { id, client, dog, checkIn, approvedPark, pendingPark, photo };
}

beforeAll(async () => {
  host = await startTestHost();
  const [friend, stranger, blocked] = [
    await host.user('Friend'),
    await host.user('Stranger'),
    await host.user('Blocked'),
  ];
  for (const { client } of [friend, stranger, blocked]) {
    await done(client.rpc('accept_terms'));
    await done(client.rpc('confirm_age'));
  }
  owners = {
    open: await makeOwner('Owner', friend, blocked),
    hidden: await makeOwner('Hidden', friend, blocked),
  };
  await done(
    owners.hidden.client.from('users').update({ hidden: true }).eq('id', owners.hidden.id),
  );
  clients = {
    owner: owners.open.client,
    friend: friend.client,
    stranger: stranger.client,
    blocked: blocked.client,
    visitor: host.client(),
    hidden: stranger.client,
  };
});
afterAll(() => host.close());

type Answer = { data: unknown; count: number | null; error: { code: string } | null };

/** `no` for a refusal; a broken constraint means that the rules let it pass. */
function word({ data, count, error }: Answer): string {
  if (error) return /^(23505|23514|P0001)$/.test(error.code) ? 'yes' : 'no';
  return count === null ? (Array.isArray(data) ? String(data.length) : 'yes') : String(count);
}

async function ask(
  relation: Relation,
  what: 'select' | 'insert' | 'update' | 'delete',
): Promise<string> {
  const words: Partial<Record<Caller, string>> = {};
  // The owner comes last: until then the rows are untouched.
  for (const caller of [...CALLERS].reverse()) {
    const owner = caller === 'hidden' ? owners.hidden : owners.open;
    const table = clients[caller].from(relation.name as 'users');
    const rows = relation.rows(owner) as never;
    const answers = {
      select: () => table.select('*').match(rows),
      insert: () => table.insert((relation.row?.(owner) ?? {}) as never),
      update: () => table.update((relation.patch ?? {}) as never, { count: 'exact' }).match(rows),
      delete: () => table.delete({ count: 'exact' }).match(rows),
    };
    words[caller] = word((await answers[what]()) as Answer);
  }
  return CALLERS.map((caller) => words[caller]).join(' ');
}

for (const relation of RELATIONS) {
  const tried = (['select', 'insert', 'update', 'delete'] as const).filter(
    (what) =>
      (what !== 'insert' || relation.row !== undefined) &&
      (what !== 'update' || relation.patch !== undefined),
  );
  test.each(tried)(`${relation.name} (${relation.select}): %s`, async (what) => {
    expect(await ask(relation, what)).toBe(relation[what] ?? NOBODY);
  });
}

test('no table or view is missing here', async () => {
  const known = await host.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') order by 1`,
  );
  expect(known.map((row) => row.name)).toEqual(
    [...new Set(RELATIONS.map((relation) => relation.name))].sort(),
  );
});

test('an update of an approved park left it as it was', async () => {
  const shade = await done(
    host.client().from('parks').select('shade').eq('id', owners.open.approvedPark).single(),
  );
  expect(shade).toEqual({ shade: null });
});
