// Tests friend codes: who can open one, on which device and for how long, and the effect of the request.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  CODE_MINUTES,
  MAX_PHOTO_LETTERS,
} from '../../app/src/features/friend-codes/friend-code-limits.ts';
import { addDog, createFixtures, errorCode, join, type Caller, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous } = fixtures;

const PHOTO = 'data:image/webp;base64,UklGRg==';
const device = () => randomUUID().replaceAll('-', '');
const make = (owner: TestUser, dog: string, photo?: string) =>
  owner.call('make_friend_code', {
    p_dog_id: dog,
    ...(photo && { p_photo: photo }),
  }) as Promise<string>;
const scan = (who: Caller, secret: string, key: string) =>
  who.call('scan_friend_code', { p_secret: secret, p_device: key, p_keep: true });
const use = (who: Caller, secret: string, key: string, idempotencyKey?: string) =>
  who.call('use_friend_code', {
    p_secret: secret,
    p_device: key,
    ...(idempotencyKey && { p_key: idempotencyKey }),
  });
const age = ({ id }: TestUser, interval: string) =>
  admin.rows`update private.friend_codes set created_at = now() - ${interval}::interval where user_id = ${id}`;
const asks = (who: TestUser) =>
  who.column`select name from friend_requests where direction = 'incoming' order by name`;

test('of twenty devices that scan a code concurrently, one can use it, once; its owner accepts the request', async () => {
  const ann = await fixtures.user('Ann');
  const dog = await addDog(ann, 'Luna');
  const secret = await make(ann, dog, PHOTO);
  expect(
    await admin.rows`select from private.friend_codes c where c::text like ${`%${secret}%`}`,
  ).toEqual([]);
  const all = await fixtures.crowd(20);
  const keys = all.map(device);
  const scans = keys.map((key) => scan(anonymous, secret, key));
  const opened = (await Promise.all(scans)).flatMap((card, at) => (card ? [{ card, at }] : []));
  expect(opened).toEqual([
    { card: { dog: 'Luna', photo: PHOTO, name: null }, at: expect.any(Number) },
  ]);
  const at = opened[0]?.at ?? 0;
  const [first, key] = [all[at] as TestUser, keys[at] as string];
  const used = await Promise.all(all.map((who, index) => use(who, secret, keys[index] as string)));
  expect(used.filter((answer) => answer !== null)).toEqual(['outgoing']);
  expect(await use(all[at === 0 ? 1 : 0] as TestUser, secret, key)).toBeNull();
  expect(await asks(ann)).toEqual([first.name]);
  expect(
    await ann.rows`select sender_id from notifications where type = 'friendRequest'`,
  ).toMatchObject([{ sender_id: first.id }]);
  expect(await ann.call('accept_friend_request', { p_user_id: first.id })).toBe('friends');
});

test('unknown, expired, withdrawn, replaced, used, own and blocked codes get the same response', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const dog = await addDog(ann, 'Luna');
  const key = device();
  const over: Record<string, () => Promise<string> | string> = {
    unknown: () => device(),
    'not even a secret': () => '',
    expired: async () => {
      const secret = await make(ann, dog);
      await age(ann, `${CODE_MINUTES} minutes 1 second`);
      return secret;
    },
    'opened on this device yesterday': async () => {
      const secret = await make(ann, dog);
      expect(await scan(bob, secret, key)).toMatchObject({ dog: 'Luna', name: 'Ann' });
      await age(ann, '24 hours 1 second');
      return secret;
    },
    withdrawn: async () => {
      const secret = await make(ann, dog);
      await scan(bob, secret, key);
      await ann.call('end_friend_codes');
      return secret;
    },
    replaced: async () => {
      const secret = await make(ann, dog);
      await make(ann, dog);
      return secret;
    },
    'opened on another device': async () => {
      const secret = await make(ann, dog);
      expect(await scan(anonymous, secret, device())).not.toBeNull();
      return secret;
    },
    used: async () => {
      const secret = await make(ann, dog);
      await scan(bob, secret, key);
      await use(bob, secret, key);
      return secret;
    },
    'of a blocked user': async () => {
      const secret = await make(ann, dog);
      await scan(anonymous, secret, key);
      await bob.call('block_user', { p_user_id: ann.id });
      return secret;
    },
    'of a user who blocked': async () => {
      await bob.call('unblock_user', { p_user_id: ann.id });
      await ann.call('block_user', { p_user_id: bob.id });
      const secret = await make(ann, dog);
      await scan(anonymous, secret, key);
      return secret;
    },
    'of a deleted dog': async () => {
      await ann.call('unblock_user', { p_user_id: bob.id });
      const secret = await make(ann, dog);
      await ann.call('delete_dog', { dog_id: dog });
      return secret;
    },
  };
  const found: Record<string, unknown[]> = {};
  for (const [name, arrange] of Object.entries(over)) {
    const secret = await arrange();
    found[name] = [await scan(bob, secret, key), await use(bob, secret, key)];
  }
  const luna = await addDog(ann);
  const own = await make(ann, luna);
  found.own = [await scan(ann, own, key), await use(ann, own, key)];
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, [null, null]])));
  // A code that was scanned by its owner or by a request without a device does not count as opened, and cannot be used.
  expect(await scan(bob, own, '')).toBeNull();
  expect(await scan(bob, own, key)).toMatchObject({ dog: 'Rex' });
});

test('a link scanner that runs the page does not use up the code', async () => {
  const [ann, bob, cem] = await fixtures.users('Ann', 'Bob', 'Cem');
  const secret = await make(ann, await addDog(ann, 'Luna'));
  const [bobs, cems] = [device(), device()];
  const show = (who: Caller, key: string) =>
    who.call('scan_friend_code', { p_secret: secret, p_device: key });
  for (const key of [device(), bobs])
    expect(await show(anonymous, key)).toEqual({ dog: 'Luna', photo: null, name: null });
  await age(ann, `${CODE_MINUTES - 1} minutes`);
  await scan(anonymous, secret, bobs);
  await age(ann, '23 hours');
  expect([await show(cem, cems), await use(cem, secret, cems)]).toEqual([null, null]);
  expect(await use(bob, secret, bobs)).toBe('outgoing');
});

test('an opened code lasts for a day on its device, also when its creator shows the next one', async () => {
  const [ann, bob, cem] = await fixtures.users('Ann', 'Bob', 'Cem');
  const dog = await addDog(ann);
  const [bobs, cems] = [device(), device()];
  const first = await make(ann, dog);
  await age(ann, `${CODE_MINUTES - 1} minutes`);
  await scan(anonymous, first, bobs);
  await age(ann, '23 hours');
  const next = await make(ann, dog);
  await scan(cem, next, cems);
  await admin.rows`do $$ begin execute (select statement from private.retention where name like 'friend codes%'); end $$`;
  const young = await fixtures.user('Young', { consent: false });
  expect(await errorCode(use(young, first, bobs))).toBe('age_required');
  const key = randomUUID();
  expect(await use(bob, first, bobs, key)).toBe('outgoing');
  // The client repeats the request, as after a lost response.
  expect(await use(bob, first, bobs, key)).toBe('outgoing');
  expect(await use(cem, next, cems)).toBe('outgoing');
  expect(await asks(ann)).toEqual(['Bob', 'Cem']);
  await make(ann, dog);
  await age(ann, `${CODE_MINUTES + 1} minutes`);
  await admin.rows`do $$ begin execute (select statement from private.retention where name like 'friend codes%'); end $$`;
  expect(await admin.rows`select from private.friend_codes where user_id = ${ann.id}`).toEqual([]);
});

test('a request by code reaches a hidden user and one who declined before, and meets a request the other way', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const dog = await addDog(ann);
  const meet = async () => {
    const [secret, key] = [await make(ann, dog), device()];
    await scan(bob, secret, key);
    return use(bob, secret, key);
  };
  await bob.call('send_friend_request', { p_user_id: ann.id });
  await ann.call('decline_friend_request', { p_user_id: bob.id });
  expect(await asks(ann)).toEqual([]);
  expect(await meet()).toBe('outgoing');
  expect(await asks(ann)).toEqual(['Bob']);
  expect(await meet()).toBe('outgoing');
  await bob.call('cancel_friend_request', { p_user_id: ann.id });
  await admin.rows`update users set hidden = true where id = ${ann.id}`;
  expect(await meet()).toBe('outgoing');
  expect(await asks(ann)).toEqual(['Bob']);
  await bob.call('cancel_friend_request', { p_user_id: ann.id });
  await ann.call('send_friend_request', { p_user_id: bob.id });
  expect(await meet()).toBe('friends');
  expect(await meet()).toBe('friends');
});

test('keepers and walkers make codes for themselves, as long as they have the dog; others make none', async () => {
  const [ann, bob, cem, eve] = await fixtures.users('Ann', 'Bob', 'Cem', 'Eve');
  const dog = await addDog(ann, 'Luna');
  await join(ann, dog, bob);
  await join(ann, dog, cem, 'walker');
  expect(await errorCode(make(eve, dog))).toBe('dog_not_found');
  for (const who of [bob, cem]) {
    const [secret, key] = [await make(who, dog), device()];
    expect(await scan(eve, secret, key)).toMatchObject({ dog: 'Luna', name: who.name });
    expect(await use(eve, secret, key)).toBe('outgoing');
    expect(await asks(who)).toEqual(['Eve']);
  }
  expect(await asks(ann)).toEqual([]);
  const last = await make(cem, dog);
  await admin.rows`update private.dog_carers set ends_at = now() - interval '1 second' where user_id = ${cem.id}`;
  expect(await scan(eve, last, device())).toBeNull();
  expect(await errorCode(make(cem, dog))).toBe('dog_not_found');
});

test('only a picture is stored with a code, and creating codes is limited', async () => {
  const ann = await fixtures.user('Ann');
  const dog = await addDog(ann);
  for (const photo of [
    'https://example.org/a.webp',
    'data:image/svg+xml;base64,PHN2Zz4=',
    `${PHOTO}"`,
    `data:image/webp;base64,${'A'.repeat(MAX_PHOTO_LETTERS)}`,
  ])
    expect(await errorCode(make(ann, dog, photo))).toBe('23514');
  const largest = 'data:image/webp;base64,'.padEnd(MAX_PHOTO_LETTERS, 'A');
  for (let times = 0; times < 20; times += 1) await make(ann, dog, times === 0 ? largest : PHOTO);
  expect(await errorCode(make(ann, dog))).toBe('too_many');
});
