// Tests friendships, requests and blocks: what each side can see, and what must stay hidden.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFixtures, errorCode, type TestUser, inviteTo, saveReview } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin } = fixtures;

const pair = () => fixtures.users('Ann', 'Bob');
const ask = (from: TestUser, to: { id: string }) =>
  from.call('send_friend_request', { p_user_id: to.id });
const state = (one: TestUser, other: { id: string }) =>
  one.value(`select coalesce(user_page($1) ->> 'friendship', 'none')`, [other.id]);
const sees = async (one: TestUser, other: { id: string }) =>
  (await one.rows('select id from users where id = $1', [other.id])).length === 1;

test('a request is sent and accepted, and the friendship ended', async () => {
  const [ann, bob] = await pair();
  expect(await ask(ann, bob)).toBe('outgoing');
  expect([await state(ann, bob), await state(bob, ann)]).toEqual(['outgoing', 'incoming']);
  expect(await bob.rows('select name, direction from friend_requests')).toEqual([
    { name: 'Ann', direction: 'incoming' },
  ]);
  expect(await bob.call('accept_friend_request', { p_user_id: ann.id })).toBe('friends');
  expect(await ann.rows('select name from friends')).toEqual([{ name: 'Bob' }]);
  expect(await ask(ann, bob)).toBe('friends');
  expect(await ann.call('unfriend', { p_user_id: bob.id })).toBe('none');
  expect([await state(ann, bob), await state(bob, ann)]).toEqual(['none', 'none']);
});

test('users cannot accept their own requests, and requests in both directions make friends, even concurrently', async () => {
  const [ann, bob] = await pair();
  await ask(ann, bob);
  expect(await ann.call('accept_friend_request', { p_user_id: bob.id })).toBe('outgoing');
  expect(await ask(bob, ann)).toBe('friends');
  expect(await errorCode(ask(ann, ann))).toBe('invalid_input');
  expect(await state(ann, ann)).toBe('self');
  const [cem, dan] = await fixtures.users('Cem', 'Dan');
  await Promise.all([ask(cem, dan), ask(dan, cem)]);
  expect([await state(cem, dan), await state(dan, cem)]).toEqual(['friends', 'friends']);
});

test('declining is invisible to the requester, and another request does not notify the receiver', async () => {
  const [ann, bob] = await pair();
  await ask(ann, bob);
  const before = await ann.rows('select * from friend_requests');
  expect(await bob.call('decline_friend_request', { p_user_id: ann.id })).toBe('none');
  expect(await ann.rows('select * from friend_requests')).toEqual(before);
  expect(await state(ann, bob)).toBe('outgoing');
  expect(await bob.rows('select * from friend_requests')).toEqual([]);
  await ann.call('cancel_friend_request', { p_user_id: bob.id });
  expect(await ask(ann, bob)).toBe('outgoing');
  expect(await state(bob, ann)).toBe('none');
  expect(await bob.rows('select * from notifications')).toEqual([]);
  expect(await ask(bob, ann)).toBe('friends');
});

test('a declined request arrives again after thirty days', async () => {
  const [ann, bob] = await pair();
  await ask(ann, bob);
  await bob.call('decline_friend_request', { p_user_id: ann.id });
  const askAfter = async (days: number) => {
    await admin.rows`update private.declined_requests set declined_at = now() - make_interval(days => ${days}) where requester = ${ann.id}`;
    await ann.call('cancel_friend_request', { p_user_id: bob.id });
    await ask(ann, bob);
    return state(bob, ann);
  };
  expect([await askAfter(29), await askAfter(31)]).toEqual(['none', 'incoming']);
});

test('requests to a user who blocked the caller, is hidden or does not exist get the same responses', async () => {
  const ann = await fixtures.user('Ann');
  const blocker = await fixtures.user('Blocker');
  const hidden = await fixtures.user('Hidden', { hidden: true });
  await blocker.call('block_user', { p_user_id: ann.id });
  for (const other of [blocker, hidden, { id: randomUUID() }]) {
    expect(await ask(ann, other)).toBe('outgoing');
    expect(await state(ann, other)).toBe('none');
    expect(await sees(ann, other)).toBe(false);
    expect(await ann.call('user_page', { p_user_id: other.id })).toBeNull();
    await ann.call('block_user', { p_user_id: other.id });
    await ann.call('report_user', { p_user_id: other.id, p_reason: 'spam' });
  }
  expect(await ann.rows('select * from friend_requests')).toEqual([]);
  expect(await ann.rows('select * from my_blocks()')).toEqual([]);
  expect(
    await admin.rows('select * from private.user_reports where reporter = $1', [ann.id]),
  ).toEqual([]);
});

/** Returns the places in which one user finds another, who is checked in at a park and has reviewed it. */
async function whereFound(one: TestUser, other: TestUser, park: number): Promise<string[]> {
  const looked: Record<string, unknown> = {
    here: await one.call('park_status', { p_park_id: park }),
    authors: await one.rows('select author_id from park_reviews where park_id = $1', [park]),
    search: await one.call('search_users_with_dogs', { input: other.name }),
    // Rows of user_reviews contain no author, so each is mapped to the ID of the requested user.
    reviews: (await one.rows('select id from user_reviews($1)', [other.id])).map(() => other.id),
    page: await one.call('user_page', { p_user_id: other.id }),
  };
  return Object.keys(looked).filter((where) => JSON.stringify(looked[where]).includes(other.id));
}

test('a block ends everything between two users, in both directions', async () => {
  const [ann, bob] = await fixtures.users('Annabella', 'Bobadil');
  const park = await fixtures.park();
  await fixtures.befriend(ann, bob);
  await inviteTo(park, ann, [bob]);
  expect(await bob.rows('select * from park_invites')).toHaveLength(1);
  for (const one of [ann, bob]) {
    await one.call('check_in', { p_park_id: park });
    await saveReview(one, park, { p_title: one.name });
  }
  const everywhere = ['here', 'authors', 'search', 'reviews', 'page'];
  expect([await whereFound(ann, bob, park), await whereFound(bob, ann, park)]).toEqual([
    everywhere,
    everywhere,
  ]);
  await bob.call('block_user', { p_user_id: ann.id });
  expect([await whereFound(ann, bob, park), await whereFound(bob, ann, park)]).toEqual([[], []]);
  expect([await sees(ann, bob), await sees(bob, ann)]).toEqual([false, false]);
  for (const one of [ann, bob])
    for (const relation of ['friends', 'friend_requests', 'park_invites', 'notifications'])
      expect(await one.rows(`select * from ${relation}`)).toEqual([]);
  expect(await errorCode(ask(bob, ann))).toBe('blocked');
  await ann.rows(`update users set name = 'Later' where id = $1`, [ann.id]);
  expect(await bob.rows('select name from my_blocks()')).toEqual([{ name: 'Annabella' }]);
  expect(await ann.rows('select * from blocks')).toEqual([]);
  await bob.call('unblock_user', { p_user_id: ann.id });
  expect([await sees(ann, bob), await state(ann, bob)]).toEqual([true, 'none']);
});

test('hidden users are visible to friends and to users they sent a request, while it is pending', async () => {
  const hidden = await fixtures.user('Hidden', { hidden: true });
  const [ann, bob] = await pair();
  expect(await sees(ann, hidden)).toBe(false);
  await ask(hidden, ann);
  await ask(hidden, bob);
  expect(await ann.call('user_page', { p_user_id: hidden.id })).toMatchObject({
    name: 'Hidden',
    hidden: false,
    friendship: 'incoming',
  });
  await ann.call('accept_friend_request', { p_user_id: hidden.id });
  await bob.call('decline_friend_request', { p_user_id: hidden.id });
  expect([await sees(ann, hidden), await sees(bob, hidden)]).toEqual([true, false]);
  await hidden.call('unfriend', { p_user_id: ann.id });
  expect(await sees(ann, hidden)).toBe(false);
});

test('a request to a user who has hidden since looks like one to a user who blocked the caller', async () => {
  const ann = await fixtures.user('Ann');
  const [hider, blocker] = await fixtures.users('Hider', 'Blocker');
  for (const other of [hider, blocker]) await ask(ann, other);
  await hider.rows('update users set hidden = true where id = $1', [hider.id]);
  await blocker.call('block_user', { p_user_id: ann.id });
  for (const other of [hider, blocker]) {
    const to = { p_user_id: other.id };
    expect(await state(ann, other)).toBe('none');
    expect(await ann.call('accept_friend_request', to)).toBe('none');
    expect(await ann.call('decline_friend_request', to)).toBe('none');
    expect(await ann.call('unfriend', to)).toBe('none');
    await ann.call('block_user', to);
    expect(await ask(ann, other)).toBe('outgoing');
  }
  expect(await ann.rows('select * from my_blocks()')).toEqual([]);
  const copy = await fixtures.exportOf(ann.id);
  expect((copy as { friends: unknown[] }).friends).toEqual([]);
});

test('repeated requests cost the same whether the user hid, blocked the caller or deleted the account', async () => {
  const [ann, open] = await pair();
  const [hider, blocker] = await fixtures.users('Hider', 'Blocker');
  const leaver = await fixtures.user('Leaver');
  for (const other of [open, hider, blocker, leaver]) await ask(ann, other);
  await hider.rows('update users set hidden = true where id = $1', [hider.id]);
  await blocker.call('block_user', { p_user_id: ann.id });
  await admin.rows('delete from auth.users where id = $1', [leaver.id]);
  await admin.rows`update private.rate_limits set count = 50 where subject = ${ann.id}`;
  expect(await ask(ann, open)).toBe('outgoing');
  for (const other of [hider, blocker, leaver])
    expect(await errorCode(ask(ann, other))).toBe('too_many');
});

test('hidden users who sent a request can be blocked and reported, even after it was declined', async () => {
  const ann = await fixtures.user('Ann');
  const hidden = await fixtures.user('Hidden', { hidden: true });
  await ask(hidden, ann);
  await ann.call('decline_friend_request', { p_user_id: hidden.id });
  await ann.call('report_user', { p_user_id: hidden.id, p_reason: 'spam' });
  await ann.call('block_user', { p_user_id: hidden.id });
  expect(await ann.rows('select name from my_blocks()')).toEqual([{ name: 'Hidden' }]);
  expect(
    await admin.rows`select reason from private.user_reports where reporter = ${ann.id}`,
  ).toEqual([{ reason: 'spam' }]);
});

test('a user can be reported once per reason, also concurrently, and again once the report is resolved', async () => {
  const [ann, bob] = await pair();
  const report = (p_reason: string, p_note: string) =>
    ann.call('report_user', { p_user_id: bob.id, p_reason, p_note });
  const queue = () =>
    admin.rows`select reason::text, note from private.user_reports where reporter = ${ann.id} and resolved_at is null order by reason`;
  await Promise.all([report('spam', 'Sells dogs'), report('spam', 'Sells dogs')]);
  await report('fake', '');
  await report('spam', '');
  expect(await queue()).toEqual([
    { reason: 'fake', note: '' },
    { reason: 'spam', note: 'Sells dogs' },
  ]);
  await admin.rows`update private.user_reports set resolved_at = now() where reporter = ${ann.id}`;
  await report('spam', 'Again');
  expect(await queue()).toEqual([{ reason: 'spam', note: 'Again' }]);
});

test('both directions of a block count: if one is revoked, the other still applies', async () => {
  const [ann, bob] = await pair();
  await ann.call('block_user', { p_user_id: bob.id });
  await bob.call('block_user', { p_user_id: ann.id });
  const known = () =>
    Promise.all([
      bob.rows('select name from my_blocks()'),
      bob.rows('select blocked from blocks'),
      bob.rows('delete from blocks where blocked = $1 returning 1', [ann.id]),
      errorCode(ask(bob, ann)),
      sees(bob, ann),
    ]);
  // For Bob, the results are those for a user who does not exist.
  expect(await known()).toEqual([[], [], [], 'not refused', false]);
  // Policies for SELECT do not apply to a statement that reads no column. The number of deleted rows must not reveal the block.
  expect(
    await bob.rows('with gone as (delete from blocks returning 1) select * from gone'),
  ).toEqual([]);
  await ann.call('unblock_user', { p_user_id: bob.id });
  expect([await sees(ann, bob), await sees(bob, ann)]).toEqual([false, false]);
  expect(await bob.rows('select name from my_blocks()')).toEqual([{ name: 'Ann' }]);
  expect(await errorCode(ask(bob, ann))).toBe('blocked');
  await ask(ann, bob);
  expect(await state(bob, ann)).toBe('none');
  await bob.call('unblock_user', { p_user_id: ann.id });
  expect([await sees(ann, bob), await sees(bob, ann)]).toEqual([true, true]);
});

test('a block of a hidden user is stored and reveals nothing', async () => {
  const ann = await fixtures.user('Ann');
  const ivy = await fixtures.user('Hidden Ivy', { hidden: true });
  await ann.call('block_user', { p_user_id: ivy.id });
  expect(await ann.rows('select * from my_blocks()')).toEqual([]);
  expect(await ask(ann, ivy)).toBe('outgoing');
  expect([await sees(ann, ivy), await sees(ivy, ann)]).toEqual([false, false]);
  await ivy.rows('update users set hidden = false where id = $1', [ivy.id]);
  expect([await sees(ann, ivy), await sees(ivy, ann)]).toEqual([false, false]);
  expect(await ann.rows('select name from my_blocks()')).toEqual([{ name: 'Hidden Ivy' }]);
});

test('former friends cannot read planned meetings or messages about them', async () => {
  const [ann, bob] = await pair();
  await fixtures.befriend(ann, bob);
  const [invite] = await inviteTo(await fixtures.park(), ann, [bob]);
  await bob.call('respond_to_invite', { p_invite_id: invite, p_accept: true });
  await ann.call('unfriend', { p_user_id: bob.id });
  for (const user of [ann, bob])
    expect([
      await user.rows('select id from park_invites'),
      await user.rows(`select type from notifications where type::text like 'parkInvite%'`),
    ]).toEqual([[], []]);
});

test.each(['block_user', 'unfriend'])(
  'an invite concurrent with %s leaves nothing behind',
  async (end) => {
    const [ann, bob, park] = [...(await pair()), await fixtures.park()];
    await fixtures.befriend(ann, bob);
    // The transaction that ends the friendship is still open when the invite starts.
    const ending = await fixtures.hold(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ sub: bob.id, role: 'authenticated' }),
    ]);
    await ending.client.query(`select public.${end}($1)`, [ann.id]);
    const invite = errorCode(inviteTo(park, ann, [bob]));
    await fixtures.waiting(1);
    await ending.end();
    await invite;
    expect(await admin.rows('select id from park_invites where sender_id = $1', [ann.id])).toEqual(
      [],
    );
  },
);

test('the friends of a friend are visible if the friend shows them, without users whom the caller may not see', async () => {
  const [ann, ben, cleo, enemy, eve] = await fixtures.users('Ann', 'Ben', 'Cleo', 'Enemy', 'Eve');
  const hider = await fixtures.user('Hider', { hidden: true });
  for (const friend of [ann, cleo, enemy]) await fixtures.befriend(friend, ben);
  await fixtures.befriend(hider, ben);
  await enemy.call('block_user', { p_user_id: ann.id });
  const seenBy = (who: TestUser) => who.column('select name from friends_of($1)', [ben.id]);
  const shows = (who: TestUser) => who.value(`select user_page($1) -> 'shows_friends'`, [ben.id]);
  expect(await seenBy(ann)).toEqual([]);
  expect(await shows(ann)).toBe(false);
  await ben.rows('update users set show_friends = true');
  expect(await seenBy(ann)).toEqual(['Cleo']);
  expect(await shows(ann)).toBe(true);
  expect(await seenBy(eve)).toEqual([]);
  expect(await shows(eve)).toBe(false);
  expect(await seenBy(cleo)).toEqual(['Ann', 'Enemy']);
  await ann.call('unfriend', { p_user_id: ben.id });
  expect(await seenBy(ann)).toEqual([]);
});

test('favourite parks are visible to friends if their owner shows them', async () => {
  const [ann, ben, eve] = await fixtures.users('Ann', 'Ben', 'Eve');
  await fixtures.befriend(ann, ben);
  const park = await fixtures.park();
  await ben.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  const seenBy = (who: TestUser) =>
    who.rows('select favourites_of::int as id from favourites_of($1)', [ben.id]);
  expect(await seenBy(ann)).toEqual([]);
  await ben.rows('update users set show_favourites = true');
  expect(await seenBy(ann)).toEqual([{ id: park }]);
  expect(await seenBy(eve)).toEqual([]);
  expect(await ann.rows('select * from favourite_parks')).toEqual([]);
});
