// Creates the users of the policy and bucket matrix tests: an owner with an open profile, one with a hidden profile, and other
// users in every relationship to both.
import { expect } from 'vitest';
import type { Client, TestHost } from '../../testing/test-host.ts';

/** Types of callers and their names in test titles. The owners come last, because their writes succeed. */
export const CALLERS = {
  stranger: 'a stranger',
  friend: 'a friend',
  requester: 'a pending requester',
  requested: 'a pending receiver of a request',
  declined: 'a declined requester',
  blocked: 'a blocked user',
  blocker: 'a user who blocks',
  moderator: 'a moderator',
  administrator: 'an administrator',
  anonymous: 'an anonymous caller',
  unverified: 'the owner before the second factor',
  owner: 'the owner',
} as const;
type Caller = keyof typeof CALLERS;

/** A cell of the matrix: the caller, and after `hidden.` the data's owner has a hidden profile. */
export type Cell = Caller | `hidden.${Caller}`;

export interface TestUser {
  id: string;
  client: Client;
}
export interface Owner extends TestUser {
  unverified: Client;
}
type Others = Record<Exclude<Caller, 'anonymous' | 'unverified' | 'owner'>, TestUser>;

interface MatrixUsers extends Others {
  open: Owner;
  hidden: Owner;
  anonymous: Client;
}

export const CELLS = (Object.keys(CALLERS) as Caller[]).flatMap((caller): Cell[] => [
  caller,
  `hidden.${caller}`,
]);

export const OWNERS: readonly Cell[] = ['owner', 'hidden.owner'];
/**
 * Callers who may see an owner's page: all without a block for the open owner; friends and receivers of a request for the hidden
 * owner.
 */
export const SEE_OWNER: readonly Cell[] = [
  ...(['owner', 'friend', 'requester', 'requested', 'declined', 'stranger'] as const),
  ...(['moderator', 'administrator'] as const),
  ...(['hidden.owner', 'hidden.friend', 'hidden.requested'] as const),
];

/** Returns true if the cell is about the data of the open owner. */
export const isOpen = (cell: Cell) => !cell.startsWith('hidden.');

const callerOf = (cell: Cell) => cell.replace('hidden.', '') as Caller;

export const ownerOf = (cell: Cell): 'open' | 'hidden' => (isOpen(cell) ? 'open' : 'hidden');

/**
 * Returns a test title: `describeCell('hidden.friend', false, 'update', 'a dog of the owner', 'no row')` is "a friend cannot update
 * a dog of the hidden owner: no row".
 */
export function describeCell(
  cell: Cell,
  allowed: boolean,
  verb: string,
  thing: string,
  outcome: string,
): string {
  const sentence = `${CALLERS[callerOf(cell)]} ${allowed ? 'can' : 'cannot'} ${verb} ${thing}: ${outcome}`;
  return isOpen(cell) ? sentence : sentence.replaceAll('the owner', 'the hidden owner');
}

export function clientOf(users: MatrixUsers, cell: Cell): Client {
  const caller = callerOf(cell);
  const owner = users[ownerOf(cell)];
  if (caller === 'owner') return owner.client;
  if (caller === 'unverified') return owner.unverified;
  return caller === 'anonymous' ? users.anonymous : users[caller].client;
}

/**
 * Returns the data of a response.
 * @throws the response's error
 */
export async function done<T>(
  answer: PromiseLike<{ data: T; error: { message: string } | null }>,
): Promise<NonNullable<T>> {
  const { data, error } = await answer;
  if (error) throw new Error(error.message);
  return data as NonNullable<T>;
}

async function createMember(host: TestHost, name: string): Promise<TestUser> {
  const { id, client } = await host.user(name);
  await done(client.rpc('accept_terms', { p_licence: true }));
  return { id, client };
}

/** Creates a user with a second factor, and two sessions: one that used it and one that did not. */
async function createOwner(host: TestHost, name: string): Promise<Owner> {
  const { id } = await createMember(host, name);
  await host.sql`insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), ${id}, 'totp', 'verified', now(), now())`;
  const session = async (aal: 'aal1' | 'aal2') =>
    host.client({
      token: await host.tokens.sign(
        { role: 'authenticated', sub: id, aud: 'authenticated', aal },
        3600,
      ),
    });
  return { id, client: await session('aal2'), unverified: await session('aal1') };
}

/** Creates a user with a role at the desk, in a session that may use the desk. */
async function createModerator(host: TestHost, role: string): Promise<TestUser> {
  const { id, client } = await createOwner(host, role);
  await host.sql(
    `insert into public.user_roles (user_id, role, factor_id) select user_id, $2, id from auth.mfa_factors where user_id = $1`,
    [id, role],
  );
  return { id, client };
}

async function relate(owner: Owner, others: Others): Promise<void> {
  const asks = (from: TestUser, to: TestUser) =>
    done(from.client.rpc('send_friend_request', { p_user_id: to.id }));
  for (const user of [others.friend, others.requester, others.declined]) await asks(user, owner);
  await done(owner.client.rpc('accept_friend_request', { p_user_id: others.friend.id }));
  await done(owner.client.rpc('decline_friend_request', { p_user_id: others.declined.id }));
  await asks(owner, others.requested);
  await done(owner.client.rpc('block_user', { p_user_id: others.blocked.id }));
  await done(others.blocker.client.rpc('block_user', { p_user_id: owner.id }));
}

/**
 * Creates all users and their relationships to both owners.
 * @param createThings creates the owner's data for the matrix before the owner hides
 */
export async function createMatrixUsers(
  host: TestHost,
  createThings: (owner: Owner, friend: TestUser) => Promise<void>,
): Promise<MatrixUsers> {
  const others: Others = {
    stranger: await createMember(host, 'Stranger'),
    friend: await createMember(host, 'Friend'),
    requester: await createMember(host, 'Requester'),
    requested: await createMember(host, 'Requested'),
    declined: await createMember(host, 'Declined'),
    blocked: await createMember(host, 'Blocked'),
    blocker: await createMember(host, 'Blocker'),
    moderator: await createModerator(host, 'moderator'),
    administrator: await createModerator(host, 'administrator'),
  };
  const owners = [await createOwner(host, 'Owner'), await createOwner(host, 'Hidden')] as const;
  for (const owner of owners) {
    await relate(owner, others);
    await createThings(owner, others.friend);
  }
  const [open, hidden] = owners;
  await done(hidden.client.from('users').update({ hidden: true }).eq('id', hidden.id));
  return { ...others, open, hidden, anonymous: host.client() };
}

const NOTHING = { friendship: null, is_blocked: false, blocks: false };

/** The expected relationship of each user to an owner. */
const STATES: Record<keyof Others, typeof NOTHING | Record<string, unknown>> = {
  stranger: NOTHING,
  moderator: NOTHING,
  administrator: NOTHING,
  friend: { ...NOTHING, friendship: 'accepted, asked by them' },
  requester: { ...NOTHING, friendship: 'pending, asked by them' },
  requested: { ...NOTHING, friendship: 'pending, asked by the owner' },
  declined: { ...NOTHING, friendship: 'declined, asked by them' },
  blocked: { ...NOTHING, is_blocked: true },
  blocker: { ...NOTHING, blocks: true },
};

/** Checks that each relationship is as its name says, and that the owners are open or hidden and have a second factor. */
export async function expectRelationships(host: TestHost, users: MatrixUsers): Promise<void> {
  const names = Object.keys(STATES) as (keyof Others)[];
  for (const owner of [users.open, users.hidden]) {
    const rows = await host.sql<{ id: string } & Record<string, unknown>>`select u.id,
         (select f.status || ', asked by ' || case f.requester when u.id then 'them' else 'the owner' end from private.friendships f
          where f.user_low = least(u.id, ${owner.id}) and f.user_high = greatest(u.id, ${owner.id})) as friendship,
         exists (select from public.blocks b where b.blocker = ${owner.id} and b.blocked = u.id) as is_blocked,
         exists (select from public.blocks b where b.blocker = u.id and b.blocked = ${owner.id}) as blocks
       from auth.users u where u.id = any (${names.map((name) => users[name].id)})`;
    const found = names.map((name) => {
      const row = rows.find(({ id }) => id === users[name].id);
      return [name, { ...row, id: undefined }];
    });
    expect(Object.fromEntries(found)).toEqual(STATES);
    expect(
      await host.sql(
        `select u.hidden, (select count(*)::int from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as factors
         from public.users u where u.id = $1`,
        [owner.id],
      ),
    ).toEqual([{ hidden: owner === users.hidden, factors: 1 }]);
    const { error } = await owner.unverified.rpc('my_consents');
    expect(error).toMatchObject({ code: '42501', message: 'second_factor_required' });
    await done(owner.client.rpc('my_consents'));
  }
}
