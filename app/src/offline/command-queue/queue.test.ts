// Whose deeds the queue sends and as whom, whoever logs in meanwhile and wherever; and what one that always fails does to those behind it.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type * as OutboxModule from '#/offline/command-queue/queue.ts';
import type * as StateModule from '#/offline/command-queue/state.ts';
import type { OutboxDeed } from '#/offline/command-queue/state.ts';
import type * as SendModule from '#/offline/command-queue/send-or-queue.ts';
import type * as SessionModule from '#/data/session/session.ts';
import { ownerOf } from '#/data/session/session-rules.ts';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import type { Supabase } from '#/data/supabase.ts';
import { newUuid } from '#/core/uuid.ts';
import { type BrowserOnNode, startBrowserOnNode } from '../../../testing/browser-on-node.ts';
import { type IndexedDbOnNode, startIndexedDb } from '../../../testing/indexed-db-on-node.ts';

const DANA = '5d0b6f6e-6d55-4a3f-9d3e-0f4c1d0f4a11';
const NOA = '9a1f0c34-1c2b-4a55-8a77-2f1f5b0c9e22';
const NAMES: Record<string, string> = { [DANA]: 'Dana', [NOA]: 'Noa' };

let browser: BrowserOnNode;
let device: IndexedDbOnNode;
let client: Supabase;
let session: typeof SessionModule;
let outbox: typeof OutboxModule;
let state: typeof StateModule;
let sendOrQueue: typeof SendModule.sendOrQueue;

/** What the server was told to do and by whom, such as 'Dana check_out'. */
const done: string[] = [];
/** Its answers to deeds; what happens beside it happens before the answer. */
let deeds: (deed: string, by: string, args: Record<string, unknown>) => readonly [number, unknown];

beforeAll(async () => {
  device = startIndexedDb();
  vi.stubGlobal('window', {
    addEventListener: () => undefined,
    location: { href: 'http://localhost/' },
  });
  browser = await startBrowserOnNode();
  session = await import('#/data/session/session.ts');
  outbox = await import('#/offline/command-queue/queue.ts');
  state = await import('#/offline/command-queue/state.ts');
  ({ sendOrQueue } = await import('#/offline/command-queue/send-or-queue.ts'));
  const { loadClient } = await import('#/data/supabase.ts');
  client = await loadClient();
  await session.watchSession();
});
afterAll(() => browser.close());

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  done.length = 0;
  deeds = () => [200, null];
  browser.answer(({ url, authorization, body }) => {
    const id = ownerOf(authorization);
    const by = NAMES[id ?? ''] ?? 'somebody';
    const [, deed] = /^\/rest\/v1\/rpc\/(\w+)/.exec(url.pathname) ?? [];
    if (deed) {
      done.push(`${by} ${deed}`);
      return deeds(deed, by, JSON.parse(body || '{}') as Record<string, unknown>);
    }
    if (url.pathname === '/auth/v1/logout') return [204, null];
    if (url.pathname === '/auth/v1/user') return [200, { id, email: `${by}@example.org` }];
    // The session of this moment, whoever's it is.
    if (url.pathname === '/auth/v1/token')
      return [200, sessionOf(session.storedSession()?.user.id ?? '')];
    return [200, { id, name: by }];
  });
  browser.goOnline(true);
  await logIn(DANA);
  return async () => {
    await outbox.clearOutbox(DANA);
    await outbox.clearOutbox(NOA);
    vi.restoreAllMocks();
  };
});

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const sessionOf = (id: string) => ({
  access_token: `${part({ alg: 'HS256' })}.${part({ sub: id, exp: 4_000_000_000, aal: 'aal1' })}.c2ln`,
  refresh_token: `again-${id}`,
  token_type: 'bearer',
  expires_at: 4_000_000_000,
  expires_in: 3600,
  user: { id, email: 'who@example.org' },
});

/** In this tab. */
async function logIn(id: string): Promise<void> {
  await client.auth.setSession(sessionOf(id));
  await vi.waitFor(() => expect(session.getSession().user?.id).toBe(id), 20_000);
}

/** In another tab: this one has not heard of it yet, its client reads it from the storage they share. */
const logInElsewhere = (id: string) =>
  localStorage.setItem(SESSION_KEY, JSON.stringify(sessionOf(id)));

/** Keeps a deed while there is no network, and then there is one again. */
async function waits(deed: OutboxDeed, args: Record<string, unknown> = {}): Promise<string> {
  const id = newUuid();
  browser.goOnline(false);
  await outbox.enqueue({ id, deed, args: { ...args, p_key: id } });
  browser.goOnline(true);
  return id;
}

const deedsShown = () => state.getOutbox().map(({ deed, refused }) => [deed, refused]);

test('what the server stumbles over five times is refused and lets the rest go; a new try asks again', async () => {
  const id = await waits('check_out');
  await waits('send_friend_request', { p_user_id: NOA });
  deeds = (deed) =>
    deed === 'check_out' ? [500, { code: 'XX000', message: 'internal error' }] : [200, null];
  for (let n = 1; n < 5; n += 1) {
    await outbox.drain();
    expect(done).toEqual(Array.from({ length: n }, () => 'Dana check_out'));
    expect(deedsShown()).toEqual([
      ['check_out', null],
      ['send_friend_request', null],
    ]);
  }
  await outbox.drain();
  expect(done.slice(4)).toEqual(['Dana check_out', 'Dana send_friend_request']);
  expect(deedsShown()).toEqual([['check_out', 'errors.dogAteTheCode']]);

  deeds = () => [200, null];
  await outbox.retry(id);
  expect(done.slice(6)).toEqual(['Dana check_out']);
  expect(deedsShown()).toEqual([]);
});

test('a review that a newer one has overtaken waits for its author’s word, and then goes under its own key', async () => {
  const id = await waits('save_review', { p_park_id: 7, p_based_on: '2026-11-21T10:00:00Z' });
  deeds = (_, __, args) =>
    args.p_based_on === null ? [200, id] : [400, { code: 'P0001', message: 'review_changed' }];
  await outbox.drain();
  expect(deedsShown()).toEqual([['save_review', 'outbox.overtaken']]);
  await outbox.drain();
  expect(done).toEqual(['Dana save_review']);

  await outbox.replaceNewer(id);
  expect(done).toEqual(['Dana save_review', 'Dana save_review']);
  expect(deedsShown()).toEqual([]);
});

test('two reviews of a park that wait are two steps of one person: the second goes over the first', async () => {
  const based = { p_park_id: 7, p_based_on: '2026-11-21T10:00:00Z' };
  await waits('save_review', { ...based, p_title: 'First' });
  await waits('save_review', { ...based, p_title: 'Second' });
  const sent: unknown[] = [];
  deeds = (_, __, { p_title, p_based_on }) => {
    sent.push([p_title, p_based_on]);
    return [200, null];
  };
  await outbox.drain();
  expect(sent).toEqual([
    ['First', '2026-11-21T10:00:00Z'],
    ['Second', null],
  ]);
});

test('what waits when the session has expired is sent after the next login of the same person, and of nobody else', async () => {
  await waits('check_out');
  await session.endSession('expired');
  expect(session.getSession()).toMatchObject({ status: 'out', ended: 'expired' });
  await outbox.drain();

  await logIn(NOA);
  await outbox.readOutbox();
  await outbox.drain();
  expect(deedsShown()).toEqual([]);
  expect(await outbox.countWaiting()).toBe(0);
  // Her own logout deletes what is hers.
  await session.signOut();
  expect(done).toEqual([]);

  await logIn(DANA);
  await outbox.readOutbox();
  expect(deedsShown()).toEqual([['check_out', null]]);
  await outbox.drain();
  expect(done).toEqual(['Dana check_out']);
});

test('nothing is sent while another tab has somebody else logged in', async () => {
  await waits('check_out');
  logInElsewhere(NOA);
  await outbox.drain();
  expect(done).toEqual([]);
  expect(deedsShown()).toEqual([['check_out', null]]);
});

test('who logs in elsewhere between two requests of one deed does not do the second', async () => {
  await waits('accept_terms', { confirm_age: true });
  deeds = (deed) => {
    if (deed === 'confirm_age') logInElsewhere(NOA);
    return [200, null];
  };
  await outbox.drain();
  expect(done).toEqual(['Dana confirm_age', 'Dana accept_terms']);
});

test('a session that is renewed as somebody else’s does not repeat the deed', async () => {
  await waits('check_out');
  deeds = () => {
    logInElsewhere(NOA);
    return [401, { code: 'PGRST303', message: 'JWT expired' }];
  };
  await outbox.drain();
  expect(done).toEqual(['Dana check_out']);
  await logIn(DANA);
  await outbox.readOutbox();
  expect(deedsShown()).toEqual([['check_out', null]]);
});

test('a photo is not given by whoever is logged in by the time it is read', async () => {
  const { uploadImage } = await import('#/data/photos/upload-image.ts');
  logInElsewhere(NOA);
  const photo = { bucket: 'parks', path: '1/other/a.webp', blob: new Blob(['x']) } as const;
  await expect(uploadImage({ ...photo, giver: DANA })).rejects.toMatchObject({ status: 401 });
});

test('a deed whose answer was lost stays of who did it, though somebody else is logged in by then', async () => {
  const id = newUuid();
  let tries = 0;
  const outcome = await sendOrQueue({ id, deed: 'check_out', args: { p_key: id } }, async () => {
    tries += 1;
    await logIn(NOA);
    throw new TypeError('Failed to fetch');
  });
  expect([outcome, tries]).toEqual(['queued', 1]);
  await outbox.drain();
  expect(done).toEqual([]);
  await logIn(DANA);
  await outbox.drain();
  expect(done).toEqual(['Dana check_out']);
});

test('a device without room says so, and keeps neither half of a deed', async () => {
  browser.goOnline(false);
  // For the picture, and not for the rest of it.
  device.leaveRoomFor(1);
  const photo = { id: newUuid(), deed: 'park_photo', args: {}, bytes: new Blob(['x']) } as const;
  await expect(outbox.enqueue(photo)).rejects.toMatchObject({ key: 'outbox.noRoom', status: 507 });
  device.leaveRoomFor(Infinity);
  await outbox.readOutbox();
  expect(deedsShown()).toEqual([]);
  expect(device.keys('packpark-outbox-bytes')).toEqual([]);
});

test('a device without room to note that a deed is done repeats it under its key, and says nothing wrong', async () => {
  await waits('check_out');
  device.leaveRoomFor(0);
  await expect(outbox.drain()).rejects.toMatchObject({ name: 'QuotaExceededError' });
  device.leaveRoomFor(Infinity);
  await outbox.drain();
  expect(done).toEqual(['Dana check_out', 'Dana check_out']);
  expect(deedsShown()).toEqual([]);
});
