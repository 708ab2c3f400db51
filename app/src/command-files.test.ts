// The queue with the app's real commands: which user they are sent as when logins change, commands that always fail, and commands
// queued by older versions.
import * as v from 'valibot';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Command, defineCommand } from '#/offline/command-queue/define-command.ts';
import { ownerOf } from '#/data/session/session-rules.ts';
import { SESSION_KEY } from '#/platform/session-copy.ts';
import { newUuid } from '#/core/uuid.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { HOUR_MS } from '../../shared/durations.ts';
import { openStore } from '#/offline/device-store.ts';
import { type Respond, sessionOf, startBrowserOnNode } from '../testing/browser-on-node.ts';
import { leaveRoomFor } from '../testing/indexed-db-on-node.ts';

const DANA = '5d0b6f6e-6d55-4a3f-9d3e-0f4c1d0f4a11';
const NOA = '9a1f0c34-1c2b-4a55-8a77-2f1f5b0c9e22';
const NAMES: Record<string, string> = { [DANA]: 'Dana', [NOA]: 'Noa' };

/** Executed commands and their callers, such as 'Dana check_out'. */
const done: string[] = [];
/** The path and cache lifetime of each upload. */
const uploads: unknown[] = [];
/** The fake server's response to each command. Code in it runs before the client receives the response. */
let server: (command: string, by: string, args: Record<string, unknown>) => ReturnType<Respond>;

const browser = await startBrowserOnNode({ withWindow: true });
const session = await import('#/data/session/session.ts');
const { commandQueue: queue } = await import('#/offline/command-queue/queue.ts');
const queued = await import('#/offline/command-queue/queued-commands.ts');
const { runCommand } = await import('#/offline/command-queue/run-command.ts');
const registry = await import('#/offline/command-queue/registry.ts');
registry.registerCommands(() =>
  import('#/command-files.ts').then(({ commandFiles }) => commandFiles),
);
(await import('#/follow-session.ts')).followSession();
const { loadClient } = await import('#/data/supabase.ts');
const client = await loadClient();
await session.watchSession();

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  done.length = 0;
  uploads.length = 0;
  server = () => [200, null];
  browser.respond(({ url, headers, body }) => {
    const id = ownerOf(headers.authorization ?? '');
    const by = NAMES[id ?? ''] ?? 'somebody';
    const [, name] = /^\/rest\/v1\/rpc\/(\w+)/.exec(url.pathname) ?? [];
    if (name) {
      done.push(`${by} ${name}`);
      return server(name, by, JSON.parse(body || '{}') as Record<string, unknown>);
    }
    if (url.pathname.startsWith('/storage/'))
      uploads.push([url.pathname, headers['cache-control']]);
    if (url.pathname === '/auth/v1/logout') return [204, null];
    if (url.pathname === '/auth/v1/user') return [200, { id, email: `${by}@example.org` }];
    // The current session, whichever user is logged in.
    if (url.pathname === '/auth/v1/token')
      return [200, sessionOf(session.storedSession()?.user.id ?? '')];
    return [200, { id, name: by }];
  });
  browser.goOnline(true);
  await logIn(DANA);
  return async () => {
    await queue.clear(DANA);
    await queue.clear(NOA);
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

async function logIn(id: string): Promise<void> {
  await client.auth.setSession(sessionOf(id));
  await vi.waitFor(() => expect(session.getSession().user?.id).toBe(id), 20_000);
}

/** Simulates a login in another tab: this tab has not been notified yet, but its client reads the shared storage. */
const logInElsewhere = (id: string) =>
  localStorage.setItem(SESSION_KEY, JSON.stringify(sessionOf(id)));

/** Queues a command while offline, then goes online. */
async function enqueue(name: string, input: unknown = VISIT, file?: Blob): Promise<string> {
  const id = newUuid();
  const command = await registry.loadCommand(name);
  if (!command) throw new Error(`No command ${name}`);
  browser.goOnline(false);
  await queue.enqueue(command, input, { key: id, file });
  browser.goOnline(true);
  return id;
}

const VISIT = { visitId: '1f6f86a4-11aa-4c0e-8a39-6e27c1a8d9b5', parkId: 7 };
const REVIEW = { parkId: 7, rank: 4, title: '', content: '', anonymous: false };
const HAZARD = { parkId: 7, hazard: 'glass' };
const SEEN = '2026-11-21T10:00:00Z';

/** Advances the clock beyond the undo period. */
async function afterTenSeconds(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_001 });
  await queue.read();
}

const shown = () =>
  queued.getQueuedCommands().map(({ command, rejection }) => [command, rejection]);

/** A fake XMLHttpRequest with the methods that uploads use, based on fetch. */
class UploadOnNode {
  upload = { addEventListener: () => undefined };
  status = 0;
  responseText = '';
  readonly #headers = new Headers();
  readonly #heard = new Map<string, () => void>();
  #target: { method: string; url: string } | undefined;
  open(method: string, url: string) {
    this.#target = { method, url };
  }
  setRequestHeader(name: string, value: string) {
    this.#headers.set(name, value);
  }
  addEventListener(name: string, listener: () => void) {
    this.#heard.set(name, listener);
  }
  send(body: Blob) {
    if (!this.#target) throw new Error('Not opened');
    const { url, method } = this.#target;
    fetch(url, { method, body, headers: this.#headers })
      .then(async (response) => {
        this.responseText = await response.text();
        this.status = response.status;
        this.#heard.get('load')?.();
      })
      .catch(() => this.#heard.get('error')?.());
  }
}

const PLACE = { lat: 32.08, long: 34.77 };
const SIGHTING = { p_id: DANA, p_lost_id: NOA, p_lat: PLACE.lat, p_long: PLACE.long };
const MUDDY = { parkId: 7, condition: 'muddy' };
const LATER = '2999-01-01T10:00:00Z';
const INVITE = {
  parkId: 7,
  parkName: 'Long Lawn',
  guests: [{ id: NOA, name: 'Noa', picture: null }],
  meetAt: LATER,
};
const CORRECTED = {
  translations: { he: { name: 'גינת מאיר' } },
  known: { lit: 'yes' },
  place: PLACE,
};

/** Database functions whose name differs from the command's. */
const RENAMED: Record<string, string> = {
  hazard_photo: 'add_hazard_photo',
};

test.each([
  ['report_hazard', HAZARD, { p_park_id: 7, p_hazard: 'glass' }, true],
  ['inform_city', { parkId: 7, reportId: 'r1' }, { p_report_id: 'r1' }, true],
  ['end_report', { parkId: 7, reportId: 'r1' }, { p_report_id: 'r1' }, true],
  ['confirm_report', { parkId: 7, reportId: 'r1' }, { p_report_id: 'r1' }, true],
  ['report_condition', MUDDY, { p_park_id: 7, p_condition: 'muddy' }, true],
  ['invite_to_park', INVITE, { p_park_id: 7, p_friend_ids: [NOA], p_meet_at: LATER }, true],
  // The client generates the ID of a sighting, so the command needs no idempotency key.
  ['report_sighting', { id: DANA, lostId: NOA, ...PLACE }, SIGHTING, false],
  // Repeating these commands with the same input changes nothing, so they need no idempotency key.
  [
    'respond_to_invite',
    { inviteId: NOA, accept: true, parkId: 7 },
    { p_invite_id: NOA, p_accept: true },
    false,
  ],
  [
    'respond_to_pack_time',
    { parkId: 7, packTimeId: NOA, comes: true, skip: null },
    { p_pack_time_id: NOA, p_comes: true },
    false,
  ],
  [
    'suggest_park_details',
    { parkId: 7, correction: CORRECTED },
    {
      p_park_id: 7,
      p_translations: CORRECTED.translations,
      p_facts: CORRECTED.known,
      p_lat: PLACE.lat,
      p_long: PLACE.long,
    },
    true,
  ],
  [
    'respond_to_park_question',
    { parkId: 7, checkInId: 'c1', value: 'yes' },
    { p_check_in_id: 'c1', p_value: 'yes' },
    true,
  ],
  // A photo has a unique path, so the server adds it only once.
  [
    'hazard_photo',
    { reportId: 'r1', parkId: 7, path: '7/other/a.webp' },
    { p_report_id: 'r1', p_path: '7/other/a.webp' },
    false,
  ],
])(
  '%s that was queued is sent as it was meant, and again under its key where the answer is lost',
  async (name, input, expected, isKeyed) => {
    vi.stubGlobal('XMLHttpRequest', UploadOnNode);
    const photo = name === 'hazard_photo' ? new Blob(['x'], { type: 'image/webp' }) : undefined;
    const id = await enqueue(name, input, photo);
    expect(done).toEqual([]);
    await afterTenSeconds();
    const sent: unknown[] = [];
    server = (_, __, args) => {
      sent.push(args);
      return sent.length === 1 ? [500, { code: 'XX000', message: 'internal error' }] : [200, true];
    };
    await queue.drain();
    expect(shown()).toEqual([[name, null]]);
    await queue.drain();
    await queue.drain();
    expect(shown()).toEqual([]);
    expect(done).toEqual(Array(2).fill(`Dana ${RENAMED[name] ?? name}`));
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    const given = Object.entries(sent[0] as object).filter(([, value]) => value !== null);
    expect(Object.fromEntries(given)).toEqual({ ...expected, ...(isKeyed && { p_key: id }) });
    const upload = ['/storage/v1/object/pending-photos/7/other/a.webp', 'max-age=2592000'];
    expect(uploads).toEqual(photo ? [upload, upload] : []);
  },
);

test.each([
  ['report_hazard', HAZARD, 3],
  ['report_condition', MUDDY, 3],
  ['confirm_report', { parkId: 7, reportId: 'r1' }, 3],
  ['report_sighting', { id: DANA, lostId: NOA, ...PLACE }, 24],
  ['respond_to_park_question', { parkId: 7, checkInId: 'c1', value: 'yes' }, 24],
])('%s is not sent once it has been queued for too long', async (name, input, hours) => {
  const id = await enqueue(name, input);
  const queuedAt = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: queuedAt + hours * HOUR_MS + 1000 });
  await queue.drain();
  expect(done).toEqual([]);
  expect(shown()).toEqual([[name, 'queuedCommands.tooLate']]);
  vi.setSystemTime(queuedAt + hours * HOUR_MS - 1000);
  await queue.retry(id);
  expect(done).toEqual([`Dana ${name}`]);
});

test('a queued check-in is rejected if the user is elsewhere, until they decide to switch', async () => {
  const id = await enqueue('check_in', { parkId: 7, stayMinutes: 60, switch: false });
  const sent: unknown[] = [];
  server = (_, __, args) => {
    sent.push([args['p_switch'], args['p_stay_minutes']]);
    return [200, { status: args['p_switch'] ? 'checked_in' : 'elsewhere', park_id: 7 }];
  };
  // Setting the clock back does not prolong the visit.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR_MS });
  await queue.drain();
  expect(shown()).toEqual([['check_in', 'queuedCommands.elsewhere']]);
  await queue.retry(id, (input) => ({ ...(input as object), switch: true }));
  expect(sent).toEqual([
    [false, 60],
    [true, 60],
  ]);
  expect(shown()).toEqual([]);
});

test('a command is rejected after five server faults and unblocks the queue; a retry sends it again', async () => {
  const id = await enqueue('check_out');
  await enqueue('friendship_step', { userId: NOA, step: 'send' });
  server = (name) =>
    name === 'check_out' ? [500, { code: 'XX000', message: 'internal error' }] : [200, null];
  for (let n = 1; n < 5; n += 1) {
    await queue.drain();
    expect(done).toEqual(Array.from({ length: n }, () => 'Dana check_out'));
    expect(shown()).toEqual([
      ['check_out', null],
      ['friendship_step', null],
    ]);
  }
  await queue.drain();
  expect(done.slice(4)).toEqual(['Dana check_out', 'Dana send_friend_request']);
  expect(shown()).toEqual([['check_out', 'errors.unexpected']]);

  server = () => [200, null];
  await queue.retry(id);
  expect(done.slice(6)).toEqual(['Dana check_out']);
  expect(shown()).toEqual([]);
});

test("a review overtaken by a newer one waits for its author's decision and is then sent under its own key", async () => {
  const id = await enqueue('save_review', { ...REVIEW, seen: SEEN });
  server = (_, __, args) =>
    args.p_based_on === null ? [200, id] : [400, { code: 'P0001', message: 'review_changed' }];
  await queue.drain();
  expect(shown()).toEqual([['save_review', 'errors.review_changed']]);
  await queue.drain();
  expect(done).toEqual(['Dana save_review']);

  const { decisions } = (await registry.loadCommand('save_review'))?.queue ?? {};
  await queue.retry(id, decisions?.['errors.review_changed']?.change);
  expect(done).toEqual(['Dana save_review', 'Dana save_review']);
  expect(shown()).toEqual([]);
});

test('a review saved while online is based on no particular version', async () => {
  const saveReview = (await registry.loadCommand('save_review')) as Command<unknown>;
  const sent: unknown[] = [];
  server = (_, __, { p_based_on }) => {
    sent.push(p_based_on);
    return [200, null];
  };
  await runCommand(saveReview, { ...REVIEW, seen: SEEN }, { key: newUuid() });
  expect(sent).toEqual([null]);
});

test('two queued reviews of a park by one user: the second replaces the first', async () => {
  await enqueue('save_review', { ...REVIEW, seen: SEEN, title: 'First' });
  await enqueue('save_review', { ...REVIEW, seen: SEEN, title: 'Second' });
  const sent: unknown[] = [];
  server = (_, __, { p_title, p_based_on }) => {
    sent.push([p_title, p_based_on]);
    return [200, null];
  };
  await queue.drain();
  expect(sent).toEqual([
    ['First', SEEN],
    ['Second', null],
  ]);
});

test('the reason of a logout stays if a login event arrives meanwhile', async () => {
  await client.auth.setSession(sessionOf(DANA));
  await session.endSession('expired');
  expect(session.getSession()).toMatchObject({ status: 'out', ended: 'expired', lostBy: DANA });
});

test("commands queued when the session has expired are sent after the same user's next login only", async () => {
  await enqueue('check_out');
  await session.endSession('expired');
  expect(session.getSession()).toMatchObject({ status: 'out', ended: 'expired' });
  await queue.drain();

  await logIn(NOA);
  await queue.read();
  await queue.drain();
  expect(shown()).toEqual([]);
  expect(await queue.count()).toBe(0);
  // A user who logs out deliberately loses only their own queued commands.
  await session.signOut();
  expect(done).toEqual([]);

  await logIn(DANA);
  await queue.read();
  expect(shown()).toEqual([['check_out', null]]);
  await queue.drain();
  expect(done).toEqual(['Dana check_out']);
});

test('a logout deletes what this device stores about the user, but keeps settings of the device', async () => {
  const ofUser = ['usualDogs', 'dogStates', 'offeredAtPark', 'seenVisit', 'scannedCode'] as const;
  for (const name of [...ofUser, 'theme'] as const) writeLocal(name, 'dark');
  await session.signOut();
  expect([...ofUser, 'theme' as const].map(readLocal)).toEqual([...ofUser.map(() => null), 'dark']);
});

test('a hazard is delayed by ten seconds, in which it can be undone and other commands are sent first', async () => {
  const report = async () =>
    runCommand((await registry.loadCommand('report_hazard')) as Command<unknown>, HAZARD, {
      key: newUuid(),
    });
  expect(await report()).toBe('queued');
  expect(await queue.undo('report_hazard')).toBe(true);
  await report();
  expect(shown()).toEqual([]);
  await runCommand((await registry.loadCommand('check_out')) as Command<unknown>, VISIT, {
    key: newUuid(),
  });
  await queue.drain();
  expect(done).toEqual(['Dana check_out']);
  await afterTenSeconds();
  expect(await queue.undo('report_hazard')).toBe(false);
  await queue.drain();
  expect(done).toEqual(['Dana check_out', 'Dana report_hazard']);
});

test('of two commands with the same name, the second is sent after the response to the first', async () => {
  const { executeCommand } = await import('#/offline/command-queue/use-command.ts');
  const inform = (await registry.loadCommand('inform_city')) as Command<unknown>;
  const informed = { parkId: 7, reportId: 'r1' };
  let unanswered = 0;
  const seen: number[] = [];
  server = async () => {
    seen.push((unanswered += 1));
    await new Promise((resolve) => setTimeout(resolve, 200));
    unanswered -= 1;
    return [200, true];
  };
  await Promise.all([executeCommand(inform, informed), executeCommand(inform, informed)]);
  expect(seen).toEqual([1, 1]);
});

test('nothing is sent while another user is logged in in another tab', async () => {
  await enqueue('check_out');
  logInElsewhere(NOA);
  await queue.drain();
  expect(done).toEqual([]);
  expect(shown()).toEqual([['check_out', null]]);
});

test('if another user logs in between two requests of one command, the second request is not sent as that user', async () => {
  await enqueue('accept_terms', { confirmAge: true });
  server = (name) => {
    if (name === 'confirm_age') logInElsewhere(NOA);
    return [200, null];
  };
  await queue.drain();
  expect(done).toEqual(['Dana confirm_age', 'Dana accept_terms']);
});

test('if the refreshed session belongs to another user, the command is not repeated', async () => {
  await enqueue('check_out');
  server = () => {
    logInElsewhere(NOA);
    return [401, { code: 'PGRST303', message: 'JWT expired' }];
  };
  await queue.drain();
  expect(done).toEqual(['Dana check_out']);
  await logIn(DANA);
  await queue.read();
  expect(shown()).toEqual([['check_out', null]]);
});

test('a photo is not uploaded as a user who logs in while it is being read', async () => {
  const { uploadImage } = await import('#/entities/photos/upload-image.ts');
  logInElsewhere(NOA);
  const photo = {
    bucket: 'pending-photos',
    path: '1/other/a.webp',
    blob: new Blob(['x']),
  } as const;
  await expect(uploadImage({ ...photo, contributor: DANA })).rejects.toMatchObject({ status: 401 });
});

test('a command whose response was lost keeps its owner, even if another user is logged in by then', async () => {
  const checkOut = await registry.loadCommand('check_out');
  let tries = 0;
  const unanswered = defineCommand({
    ...checkOut,
    name: 'check_out',
    input: v.looseObject({}),
    invalidates: () => [],
    async send() {
      tries += 1;
      await logIn(NOA);
      throw new TypeError('Failed to fetch');
    },
  });
  const outcome = await runCommand(unanswered, VISIT, { key: newUuid() });
  expect([outcome, tries]).toEqual(['queued', 1]);
  await queue.drain();
  expect(done).toEqual([]);
  await logIn(DANA);
  await queue.drain();
  expect(done).toEqual(['Dana check_out']);
});

test('with a full disk an error is shown and no part of the command is stored', async () => {
  browser.goOnline(false);
  // The disk has room for the image, but not for the command.
  const disk = leaveRoomFor(1);
  const photo = await registry.loadCommand('park_photo');
  if (!photo) throw new Error('No command');
  const kept = queue.enqueue(
    photo,
    { parkId: 1, path: '1/a' },
    { key: newUuid(), file: new Blob(['x']) },
  );
  await expect(kept).rejects.toMatchObject({ key: 'queuedCommands.noRoom', status: 507 });
  disk.mockRestore();
  await queue.read();
  expect(shown()).toEqual([]);
  expect(await openStore('packpark-commands-bytes', 'bytes').keys()).toEqual([]);
});

test('if storing the completion fails, the command is repeated with its key and without an error message', async () => {
  await enqueue('check_out');
  const disk = leaveRoomFor(0);
  await expect(queue.drain()).rejects.toMatchObject({ name: 'QuotaExceededError' });
  disk.mockRestore();
  await queue.drain();
  expect(done).toEqual(['Dana check_out', 'Dana check_out']);
  expect(shown()).toEqual([]);
});

test('every command is found by its stored name and has a label', async () => {
  const { commandFiles } = await import('#/command-files.ts');
  expect(commandFiles.size).toBeGreaterThan(10);
  const { default: texts } = await import('../../languages/en/app.json');
  for (const name of commandFiles.keys()) {
    const command = await registry.loadCommand(name);
    expect(command?.name).toBe(name);
    expect(texts).toHaveProperty([`queuedCommands.kind.${name}`]);
  }
});

test('a command without code is rejected and unblocks the queue', async () => {
  const id = newUuid();
  await openStore('packpark-commands', 'entries').set('commands', [
    { id, userId: DANA, command: 'of_a_later_version', input: {}, hasFile: false, rejection: null },
  ]);
  await enqueue('check_out');
  await queue.drain();
  expect(done).toEqual(['Dana check_out']);
  expect(shown()).toEqual([['of_a_later_version', 'errors.unexpected']]);
});
