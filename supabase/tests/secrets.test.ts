// Searches for secrets that must not leak, in every response that a stranger or an anonymous caller can get over HTTP.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

type User = Awaited<ReturnType<TestHost['user']>>;

const CRITIQUE = 'The water tastes of secrets';

async function member(name: string): Promise<User> {
  const user = await host.user(name);
  await user.client.rpc('accept_terms', { p_licence: true });
  return user;
}

const host = await startTestHost();
const [stranger, friend, hidden, critic, visitorOfPark] = (await Promise.all(
  ['Stranger', 'Friend', 'Invisible Ivy', 'Critical Carl', 'Present Pia'].map(member),
)) as [User, User, User, User, User];
const parks = await host.sql<{ id: string }>(
  `insert into public.parks (lat, long, status) values (32.1, 34.8, 'approved'), (32.2, 34.9, 'pending') returning id`,
);
const [park, pendingPark] = parks.map((row) => Number(row.id)) as [number, number];
await host.sql`insert into public.park_translations select id, 'en', 'Park ' || id, 'City', 'Street' from public.parks`;
for (const user of [hidden, critic, visitorOfPark]) {
  await friend.client.rpc('send_friend_request', { p_user_id: user.id });
  await user.client.rpc('accept_friend_request', { p_user_id: friend.id });
  await user.client.rpc('check_in', { p_park_id: park });
  await user.client.from('favourite_parks').insert({ park_id: park });
}
await hidden.client
  .from('dogs')
  .insert({ name: 'Ghost', breed: 'mixed', gender: 'MALE', birthday: '2020-01-01' });
await hidden.client.rpc('save_review', {
  p_park_id: park,
  p_title: 'Fine',
  p_content: 'Quiet',
  p_rank: 3,
});
await hidden.client.from('users').update({ hidden: true }).eq('id', hidden.id);
await critic.client.rpc('save_review', {
  p_park_id: park,
  p_title: 'Hm',
  p_content: CRITIQUE,
  p_rank: 1,
  p_anonymous: true,
});
await host.sql('update public.reviews set public_rank = rank');

async function get(
  path: string,
  token: string,
  init: RequestInit = {},
): Promise<{ text: string; count: string | null; status: number }> {
  const response = await fetch(`${host.url}/rest/v1/${path}`, {
    ...init,
    headers: {
      apikey: host.tokens.anonKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(init.headers ?? {}),
    },
  });
  return {
    text: await response.text(),
    count: response.headers.get('content-range'),
    status: response.status,
  };
}

/** Paths that read everything about users and parks, with every embed that the schema offers. */
const READS = (who: User) => [
  'users?select=*',
  'users?select=*,dogs(*),reviews(*),check_ins(*),favourite_parks(*),park_suggestions(*),device_tokens(*),notifications_preferences(*)',
  `users?id=eq.${who.id}`,
  `users?select=id&hidden=is.true`,
  'dogs?select=*,users(*),check_in_dogs(check_in_id,dog_id,check_ins(*))',
  'parks?select=*,reviews(*,users(*)),check_ins(*,users(*)),favourite_parks(*),park_photos(*),park_suggestions(*),park_invites(*)',
  'parks?select=id,reviews!inner(rank,author)',
  'parks?select=id,check_ins!inner(user_id)',
  'check_ins?select=*,users(*),check_in_dogs(dog_id,dogs(*))',
  'reviews?select=*,users(*)&order=author',
  `reviews?author=eq.${who.id}`,
  'park_reviews?select=*&order=author_id,author_name,created_at',
  `park_reviews?author_id=eq.${who.id}`,
  'rpc/live_counts',
  'rpc/friends_now',
  'park_conditions?select=*',
  'friends?select=*',
  'friend_requests?select=*',
  'notifications?select=*,sender:sender_id(*)',
  'blocks?select=*',
  `rpc/park_status?p_park_id=${park}`,
  `rpc/user_page?p_user_id=${who.id}`,
  `rpc/user_reviews?p_user_id=${who.id}`,
  'rpc/search_users_with_dogs?input=Ivy',
  'rpc/search_users_with_dogs?input=invisible',
  'rpc/search_users_with_dogs?input=Ghost',
  'rpc/my_blocks',
];

describe.each(['a stranger', 'an anonymous caller'] as const)('to %s', (caller) => {
  const token = () => (caller === 'a stranger' ? stranger.token : host.tokens.anonKey);

  test('responses never mention a hidden user', async () => {
    for (const path of READS(hidden)) {
      const { text } = await get(path, token());
      expect(text, path).not.toContain('Invisible Ivy');
      expect(text, path).not.toContain('Ghost');
      // An error may contain the requested ID.
      if (!path.includes(hidden.id)) expect(text, path).not.toContain(hidden.id);
    }
  });

  test('responses never contain the author or the time of an anonymous review', async () => {
    let seen = 0;
    for (const path of READS(critic)) {
      const rows = JSON.parse((await get(path, token())).text || 'null') as unknown;
      for (const row of Array.isArray(rows) ? rows : [rows]) {
        const text = JSON.stringify(row);
        if (!text.includes(CRITIQUE)) continue;
        seen += 1;
        expect(text, path).not.toContain(critic.id);
        expect(text, path).not.toContain('Critical Carl');
        expect(text, path).toMatch(/"created_at":"[^"]*T2[12]:00:00/);
      }
    }
    expect(seen).toBeGreaterThan(0);
  });

  test('responses never reveal that a user is at a park', async () => {
    for (const path of READS(visitorOfPark).filter(
      (one) => !one.startsWith('users') && !/user_page|search/.test(one),
    )) {
      const { text } = await get(path, token());
      expect(text, path).not.toContain('Present Pia');
      if (!path.includes(visitorOfPark.id)) expect(text, path).not.toContain(visitorOfPark.id);
    }
  });

  test('counts reveal nothing about a single user', async () => {
    for (const path of [
      `check_ins?user_id=eq.${visitorOfPark.id}`,
      `reviews?author=eq.${critic.id}`,
      `park_reviews?author_id=eq.${critic.id}`,
      `park_reviews?author_name=eq.Critical%20Carl`,
      `favourite_parks?user_id=eq.${critic.id}`,
      `users?id=eq.${hidden.id}`,
      `parks?select=id,check_ins!inner(id)&check_ins.user_id=eq.${visitorOfPark.id}`,
      `parks?select=id,reviews!inner(id)&reviews.author=eq.${critic.id}`,
    ]) {
      const { count, status } = await get(path, token(), {
        method: 'HEAD',
        headers: { prefer: 'count=exact' },
      });
      expect(
        status === 401 || status === 403 || count === '*/0',
        `${path}: ${status} ${count}`,
      ).toBe(true);
    }
  });
});

test('a pending park and one that does not exist fail with the same errors', async () => {
  const nowhere = 4_000_000;
  const results = async (id: number) => [
    (await stranger.client.from('favourite_parks').insert({ park_id: id })).error?.code,
    (await stranger.client.from('reviews').insert({ park_id: id, rank: 3 })).error?.message,
    (await stranger.client.rpc('check_in', { p_park_id: id })).error?.message,
    (
      await stranger.client.rpc('save_review', {
        p_park_id: id,
        p_title: '',
        p_content: '',
        p_rank: 3,
      })
    ).error?.message,
    (await stranger.client.rpc('report_condition', { p_park_id: id, p_condition: 'muddy' })).error
      ?.message,
    (await stranger.client.rpc('suggest_park_details', { p_park_id: id, p_size: 5 })).error
      ?.message,
    (await stranger.client.rpc('park_status', { p_park_id: id })).data,
    (await stranger.client.rpc('park_cards', { p_park_ids: [id] })).data,
  ];
  expect(await results(pendingPark)).toEqual(await results(nowhere));
});

test('missing rows and rows of other users give the same responses', async () => {
  const [mine] = await host.sql<{
    id: string;
  }>`select id from public.reviews where author = ${critic.id}`;
  const results = async (id: string | undefined) => [
    (await stranger.client.rpc('delete_review', { p_review_id: String(id) })).error,
    (await stranger.client.rpc('mark_notification_read', { notification_id: String(id) })).error,
    (await stranger.client.rpc('delete_dog', { dog_id: String(id) })).error,
    (await stranger.client.rpc('respond_to_invite', { p_invite_id: String(id), p_accept: true }))
      .error?.message,
    (await stranger.client.from('reviews').delete({ count: 'exact' }).eq('id', String(id))).count,
  ];
  expect(await results(mine?.id)).toEqual(await results(randomUUID()));
  expect(await host.sql('select id from public.reviews where id = $1', [mine?.id])).toHaveLength(1);
});

test('the search cannot list all users: at least two characters, and a limit per IP address', async () => {
  expect((await host.client().rpc('search_users_with_dogs', { input: ' a ' })).data).toEqual([]);
  // Every second request casts names to integers, which fails. It must be counted too, and its error must not contain a name.
  const search = (index: number) =>
    get(`rpc/search_users_with_dogs?select=${index % 2 ? 'name::int' : '*'}`, host.tokens.anonKey, {
      method: 'POST',
      body: JSON.stringify({ input: 'Critical Carl' }),
      // IP addresses that the caller sends are ignored.
      headers: {
        'x-forwarded-for': `203.0.113.${index}`,
        'cf-connecting-ip': `198.51.100.${index}`,
        accept: index % 3 ? 'application/json' : 'application/vnd.pgrst.object+json',
      },
    });
  let refused = 0;
  for (let index = 0; index < 62; index += 1)
    if ((await search(index)).text.includes('too_many')) refused += 1;
  expect(refused).toBeGreaterThanOrEqual(2);
  expect(
    (await stranger.client.rpc('search_users_with_dogs', { input: 'Carl' })).data,
  ).toHaveLength(1);
});
