// Tests permissions on rows with the official client over HTTP: every table and view, and every type of caller.
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import {
  CALLERS,
  CELLS,
  clientOf,
  createMatrixUsers,
  describeCell,
  done,
  expectRelationships,
  isOpen,
  OWNERS,
  ownerOf,
  SEE_OWNER,
  type Cell,
  type Owner,
  type TestUser,
} from './matrix-users.ts';

/** The IDs of one object of each type that an owner has. */
interface Things {
  id: string;
  friend: string;
  requester: string;
  declined: string;
  stranger: string;
  nuisance: string;
  moderator: string;
  dog: string;
  checkIn: string;
  approvedPark: number;
  emptyPark: number;
  pendingPark: number;
  closedPark: number;
  photo: string;
  phone: string;
  notification: string;
  unready: string;
}

type Action = 'select' | 'insert' | 'update' | 'delete';

/** The value of each column: a number, or the name of an object of the owner whose ID is the value. */
type Columns = Record<string, keyof Things | number>;

interface Rules {
  /** The values to insert and to change. They are only needed if some caller has the permission. */
  row?: (things: Things) => Record<string, unknown>;
  patch?: Record<string, unknown>;
  /** The callers who have each permission. If a permission is missing, nobody has it. */
  select?: readonly Cell[];
  insert?: readonly Cell[];
  update?: readonly Cell[];
  delete?: readonly Cell[];
  /** True if anonymous callers may select the rows. */
  anonymous?: true;
  /** Expected errors that differ from the usual ones. */
  reasons?: Partial<Record<Action, Partial<Record<Cell, string>>>>;
}

interface Relation extends Rules {
  name: string;
  /**
   * The name of the rows in test titles. If it does not contain 'of the owner', the rows are the same for both owners and are
   * tested once.
   */
  thing: string;
  rows: (things: Things) => Record<string, unknown>;
}

const relation = (
  name: string,
  thing: string,
  columns: Columns,
  select: readonly Cell[] | undefined,
  rules: Rules = {},
): Relation => ({
  name,
  thing,
  ...(select && { select }),
  rows: (things) =>
    Object.fromEntries(
      Object.entries(columns).map(([column, of]) => [
        column,
        typeof of === 'number' ? of : things[of],
      ]),
    ),
  ...rules,
});

const EVERYBODY = CELLS;
const signedIn = (cell: Cell) => !cell.endsWith('anonymous');
const verified = (cell: Cell) => signedIn(cell) && !cell.endsWith('unverified');

const SECOND_FACTOR = {
  unverified: '42501 second_factor_required',
  'hidden.unverified': '42501 second_factor_required',
};

const PARK = { park_id: 'approvedPark' } as const;
const OWN_ROW = { user_id: 'id' } as const;
const PENDING = { park_id: 'pendingPark' } as const;
const PUBLIC = { anonymous: true } as const;
const NOT_BLOCKER = CELLS.filter((cell) => cell !== 'blocker');
const INVITED: readonly Cell[] = [...OWNERS, 'friend', 'hidden.friend'];
/** A declined request looks pending. A request to a user who has hidden since is not shown. */
const IN_REQUEST: readonly Cell[] = ['requester', 'requested', 'declined', 'hidden.requested'];
const THERE_ALREADY = '23505 notifications_preferences_pkey';
const DOG = { name: 'Pita', breed: 'mixed', gender: 'FEMALE', birthday: '2020-02-02' } as const;

const RELATIONS: Relation[] = [
  relation('users', 'the profile of the owner', { id: 'id' }, SEE_OWNER, {
    patch: { name: 'Renamed' },
    update: OWNERS,
  }),
  relation('user_roles', 'the role of a moderator', { user_id: 'moderator' }, ['moderator']),
  relation('dogs', 'a dog of the owner', { id: 'dog' }, SEE_OWNER, {
    row: ({ id }) => ({ owner: id, ...DOG }),
    patch: { name: 'Renamed' },
    insert: OWNERS,
    update: OWNERS,
  }),
  // The update creates a suggestion. It returns no row, because the park does not change.
  relation('parks', 'an approved park', { id: 'approvedPark' }, EVERYBODY, {
    patch: { shade: 5 },
    update: [],
    anonymous: true,
  }),
  relation('parks', 'a pending park of the owner', { id: 'pendingPark' }, OWNERS, {
    patch: { shade: 5 },
    update: OWNERS,
    anonymous: true,
  }),
  relation('park_translations', 'the name of an approved park', PARK, EVERYBODY, PUBLIC),
  relation('park_translations', 'the name of a pending park of the owner', PENDING, OWNERS, PUBLIC),
  relation('park_suggestions', 'a suggestion of the owner', { ...PARK, size: 1234 }, OWNERS),
  relation('park_photos', 'a pending photo of the owner', { path: 'photo' }, OWNERS, PUBLIC),
  relation('park_hazards', 'a hazard that the owner reported', PARK, EVERYBODY, PUBLIC),
  relation('removed_parks', 'what became of a park', { park_id: 'closedPark' }, undefined),
  relation('favourite_parks', 'a favourite of the owner', { ...OWN_ROW, ...PARK }, OWNERS, {
    row: ({ id, emptyPark }) => ({ user_id: id, park_id: emptyPark }),
    patch: { good_from: 9, good_to: 12 },
    insert: OWNERS,
    update: OWNERS,
    delete: OWNERS,
  }),
  relation('check_ins', 'a check-in of the owner', { id: 'checkIn' }, OWNERS),
  relation('own_changes', 'what changed of the owner', OWN_ROW, OWNERS),
  relation('check_in_dogs', 'a dog in a check-in of the owner', { check_in_id: 'checkIn' }, OWNERS),
  // Users who blocked the author do not see the review. Users whom the author blocked see it without the name, because a missing
  // review would reveal its author.
  relation('park_reviews', 'a published review of the owner', PARK, NOT_BLOCKER, PUBLIC),
  relation('reviews', 'a review of the owner', { author: 'id', ...PARK }, OWNERS, {
    row: ({ id, emptyPark }) => ({ author: id, park_id: emptyPark, rank: 1 }),
    patch: { title: 'Changed' },
    insert: OWNERS,
    update: OWNERS,
    delete: OWNERS,
    reasons: { insert: SECOND_FACTOR },
  }),
  relation('blocks', 'a block by the owner', { blocker: 'id', blocked: 'nuisance' }, OWNERS, {
    delete: OWNERS,
  }),
  relation('notifications', 'a notification of the owner', { id: 'notification' }, OWNERS),
  relation('notifications', 'a notification of the owner that is not ready', { id: 'unready' }, []),
  relation('notifications_preferences', 'what the owner wants to hear of', OWN_ROW, OWNERS, {
    row: ({ id }) => ({ user_id: id }),
    patch: { muted: true },
    insert: [],
    update: OWNERS,
    reasons: { insert: { owner: THERE_ALREADY, 'hidden.owner': THERE_ALREADY } },
  }),
  relation('device_tokens', 'a device of the owner', { device_id: 'phone' }, OWNERS, {
    row: ({ id }) => ({ user_id: id, device_id: `tablet of ${id}`, platform: 'ios', token: id }),
    patch: { platform: 'ios' },
    insert: OWNERS,
    update: OWNERS,
    delete: OWNERS,
  }),
  relation('park_invites', 'an invite by the owner to a friend', { sender_id: 'id' }, INVITED),
  relation('friends', 'the owner among their friends', OWN_ROW, ['friend', 'hidden.friend']),
  relation('friends', 'a friend among the friends of the owner', { user_id: 'friend' }, OWNERS),
  relation('friend_requests', 'the request between them and the owner', OWN_ROW, IN_REQUEST),
  relation('friend_requests', 'a pending request to the owner', { user_id: 'requester' }, OWNERS),
  relation('friend_requests', 'a declined request to the owner', { user_id: 'declined' }, []),
  relation('park_conditions', 'a live report of the owner', PARK, EVERYBODY, PUBLIC),
];

async function createThings(
  host: TestHost,
  { id, client }: Owner,
  friend: TestUser,
): Promise<Omit<Things, 'friend' | 'requester' | 'declined' | 'stranger' | 'moderator'>> {
  const [approvedPark, emptyPark] = [await host.park(), await host.park()];
  const closedPark = await host.park();
  await host.sql(`select private.close_park($1, 'closed')`, [closedPark]);
  const { id: dog } = await done(client.from('dogs').insert(DOG).select('id').single());
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
  await done(client.rpc('report_hazard', { p_park_id: approvedPark, p_hazard: 'awns' }));
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
  const phone = `phone of ${id}`;
  await done(
    client
      .from('device_tokens')
      .insert({ device_id: phone, platform: 'android', token: `token of ${id}` }),
  );
  await done(
    client.rpc('invite_to_park', {
      p_park_id: approvedPark,
      p_friend_ids: [friend.id],
      p_meet_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  );
  const nuisance = await host.user('Nuisance');
  await done(client.rpc('block_user', { p_user_id: nuisance.id }));
  const photo = `${approvedPark}/other/photo-0b6e7c1e-58a0-4c3b-9d5e-3f1c2a4b5d6e.webp`;
  await host.sql`insert into public.park_photos (path, park_id) values (${photo}, ${approvedPark})`;
  await host.sql(`insert into private.photo_uploaders values ($1, $2)`, [photo, id]);
  const [ready] = await host.sql<{
    id: string;
  }>`select id from public.notifications where receiver_id = ${id} and is_ready limit 1`;
  const [unready] = await host.sql<{ id: string }>(
    `insert into public.notifications (type, sender_id, receiver_id, is_ready) values ('friendRequest', $2, $1, true) returning id`,
    [id, friend.id],
  );
  // Publishing made the notification ready at commit, so an update makes it unpublished again.
  await host.sql('update public.notifications set is_ready = false where id = $1', [unready?.id]);
  return {
    id,
    nuisance: nuisance.id,
    dog,
    checkIn,
    approvedPark,
    emptyPark,
    pendingPark,
    closedPark,
    photo,
    phone,
    notification: String(ready?.id),
    unready: String(unready?.id),
  };
}

const host = await startTestHost();
const created: Awaited<ReturnType<typeof createThings>>[] = [];
const users = await createMatrixUsers(host, async (owner, friend) => {
  created.push(await createThings(host, owner, friend));
});
const others = {
  friend: users.friend.id,
  requester: users.requester.id,
  declined: users.declined.id,
  stranger: users.stranger.id,
  moderator: users.moderator.id,
};
const of = ({ id }: Owner): Things => {
  const found = created.find((one) => one.id === id);
  if (!found) throw new Error('An owner without things');
  return { ...found, ...others };
};
const things = { open: of(users.open), hidden: of(users.hidden) };

const USUAL: Record<Action, string> = {
  select: 'no row',
  insert: '42501 row-level security',
  update: 'no row',
  delete: 'no row',
};
const NOT_GRANTED = '42501 permission denied';

const isAllowed = (relation: Relation, action: Action, cell: Cell) =>
  relation[action]?.includes(cell) ?? false;

function expected(relation: Relation, action: Action, cell: Cell): string {
  if (isAllowed(relation, action, cell)) return action === 'insert' ? 'created' : '1 row';
  const granted =
    relation[action] && (signedIn(cell) || (action === 'select' && relation.anonymous));
  if (!granted) return NOT_GRANTED;
  return relation.reasons?.[action]?.[cell] ?? USUAL[action];
}

interface Answer {
  data: unknown;
  count: number | null;
  status: number;
  error: { code: string; message: string } | null;
}

/** Formats a response as in the test titles: the number of rows, or the code and reason of the error. */
function outcome({ data, count, status, error }: Answer): string {
  if (error) {
    const [, constraint] = /violates \w+ constraint "(\w+)"/.exec(error.message) ?? [];
    if (constraint !== undefined) return `${error.code} ${constraint}`;
    const [reason] = /^permission denied|row-level security/.exec(error.message) ?? [error.message];
    return `${error.code} ${reason}`;
  }
  if (status === 201) return 'created';
  const reached = Array.isArray(data) ? data.length : count;
  return reached === 0 ? 'no row' : `${reached} row${reached === 1 ? '' : 's'}`;
}

async function ask(relation: Relation, action: Action, cell: Cell): Promise<Answer> {
  const owned = things[ownerOf(cell)];
  const table = clientOf(users, cell).from(relation.name as 'users');
  const rows = relation.rows(owned) as never;
  const answers = {
    // The query names its columns, because `*` fails for a table that has a column without a grant.
    select: () => table.select(Object.keys(rows).join(',') as '*').match(rows),
    insert: () => table.insert((relation.row?.(owned) ?? rows) as never),
    update: () => table.update((relation.patch ?? rows) as never, { count: 'exact' }).match(rows),
    delete: () => table.delete({ count: 'exact' }).match(rows),
  };
  return (await answers[action]()) as Answer;
}

/** A permission that no role has is tested only for the owner who is not hidden. */
const isAsked = (relation: Relation, action: Action, cell: Cell) =>
  isOpen(cell) || (relation.thing.includes('the owner') && relation[action] !== undefined);

const VERBS = { select: 'see', insert: 'insert', update: 'update', delete: 'delete' };

describe.each(RELATIONS.map((relation) => [relation.name, relation] as const))(
  '%s',
  (_, relation) => {
    beforeAll(() => expectRelationships(host, users));

    const titled = (actions: readonly Action[], allowed?: boolean) =>
      actions.flatMap((action) =>
        CELLS.filter(
          (cell) =>
            isAsked(relation, action, cell) &&
            (allowed === undefined || allowed === isAllowed(relation, action, cell)),
        ).map((cell) => {
          const answer = expected(relation, action, cell);
          const title = describeCell(
            cell,
            isAllowed(relation, action, cell),
            VERBS[action],
            relation.thing,
            answer,
          );
          return [title, action, cell, answer] as const;
        }),
      );
    const proves = async (_title: string, action: Action, cell: Cell, answer: string) => {
      const given = await ask(relation, action, cell);
      expect(outcome(given)).toBe(answer);
      if (given.error?.code === '42501') expect(given.status).toBe(signedIn(cell) ? 403 : 401);
    };
    const content = () =>
      host.sql(
        `select md5(string_agg(r::text, e'\\n' order by r::text)) as all from public.${relation.name} r`,
      );

    let before: unknown;
    beforeAll(async () => {
      before = await content();
    });

    test.each(titled(['select']))('%s', proves);
    test.each(titled(['insert', 'update', 'delete'], false))('%s', proves);
    test('rejected calls have changed nothing', async () => {
      expect(await content()).toEqual(before);
    });
    test.each(titled(['insert', 'update', 'delete'], true))('%s', proves);
  },
);

test('the matrix contains every table and view', async () => {
  const known = await host.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
  );
  expect(known.map((row) => row.name)).toEqual(
    [...new Set(RELATIONS.map((relation) => relation.name))].sort(),
  );
});

test('nobody can access a table outside the public schema', async () => {
  expect(
    await host.sql(
      `select c.oid::regclass::text as name, r.rolname as role from pg_class c, pg_roles r
       where c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and r.rolname in ('anon', 'authenticated', 'service_role')
         and (has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate')
           or has_any_column_privilege(r.oid, c.oid, 'select, insert, update'))`,
    ),
  ).toEqual([]);
});

test('an update of an approved park does not change it, and becomes a suggestion of each caller', async () => {
  const park = things.open.approvedPark;
  expect(await done(users.anonymous.from('parks').select('shade').eq('id', park))).toEqual([
    { shade: null },
  ]);
  const suggested = await host.sql<{
    user_id: string;
  }>`select user_id from public.park_suggestions where park_id = ${park} and shade = 5`;
  const callers = (Object.keys(CALLERS) as Cell[]).filter(verified);
  expect(suggested).toHaveLength(callers.length);
  expect(new Set(suggested.map((row) => row.user_id)).size).toBe(callers.length);
});
