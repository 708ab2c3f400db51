// Tests three devices of two users with an intermittent network. The state that a device shows becomes true unless another device
// interferes. Finally, each device shows the state of the database, and each command takes effect once. SEEDS=200 runs more sequences.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { seeded } from '../../testing/seeded.ts';
import { createFixtures, type TestUser } from './fixtures.ts';

interface Visit {
  check_in_id: string;
  park_id: number;
  expires_at: string;
}
type Friendship = 'none' | 'outgoing' | 'incoming' | 'friends';
type Stays = 'check_in' | 'check_out' | 'extend_stay';
interface Command {
  id: string;
  command: Stays | 'set_favourite' | 'friendship_step';
  input: Record<string, unknown>;
  queuedAt: number;
  rejection: string | null;
}
/** The state that a device shows or that the database contains. */
interface Picture {
  visit: Pick<Visit, 'check_in_id' | 'park_id'> | null;
  favourites: number[];
  friendship: Friendship;
}
interface Answer extends Picture {
  visit: Visit | null;
}
interface Device {
  user: TestUser;
  isOnline: boolean;
  queue: Command[];
  answer: Answer;
  /** True if the data has changed since the device last fetched it. */
  isStale: boolean;
}
interface Unsent {
  id: string;
  command: AppCommand;
  input: Command['input'];
  at: number;
  isQueued: boolean;
}
interface AppCommand {
  queue?: { replaces?: (input: Command['input'], queued: Command['input']) => boolean };
}
/** Functions of the app that the test calls. */
interface App {
  myVisit(answer: Visit | null, unsent: Unsent[], now: number): Visit | null;
  friendshipWith(id: string, answer: Friendship, unsent: Unsent[]): { friendship: Friendship };
  applyUnsent<Data>(unsent: Unsent[], key: readonly unknown[], data: Data): { data: Data };
  parkKeys: { favourites: readonly unknown[] };
  added(queue: Command[], next: Command, rules: AppCommand['queue'] & {}): Command[];
}

const SEEDS = Number(process.env.SEEDS ?? 10);
const STEPS = 40;

const fixtures = await createFixtures();
const { admin } = fixtures;
// Modules of the app use these globals when they are loaded.
vi.stubGlobal('navigator', { onLine: true });
vi.stubGlobal('addEventListener', () => undefined);
const source = path.join(import.meta.dirname, '../../app/src');
const load = <Module>(file: string) => import(path.join(source, file)) as Promise<Module>;
const modules = [
  'entities/parks/park-keys.ts',
  'features/check-ins/my-visit.ts',
  'features/friendships/friendship-with.ts',
  'offline/command-queue/queue-rules.ts',
  'offline/command-queue/unsent-commands.ts',
].map((file) => load<Partial<App>>(file));
const app = Object.assign({}, ...(await Promise.all(modules))) as App;

const commandOf = async (file: string) =>
  (await load<{ command: AppCommand }>(`features/${file}.command.ts`)).command;
const COMMANDS: Record<Command['command'], AppCommand> = {
  check_in: await commandOf('check-ins/commands/check-in'),
  check_out: await commandOf('check-ins/commands/check-out'),
  extend_stay: await commandOf('check-ins/commands/extend-stay'),
  set_favourite: await commandOf('favourites/commands/set-favourite'),
  friendship_step: await commandOf('friendships/commands/friendship-step'),
};

vi.unstubAllGlobals();

/** The actions that the app offers in each state of a friendship. */
const STEPS_FROM = {
  none: ['send'],
  outgoing: ['cancel'],
  incoming: ['accept', 'decline'],
  friends: ['unfriend'],
};
const RPCS: Record<string, string> = {
  send: 'send_friend_request',
  cancel: 'cancel_friend_request',
  accept: 'accept_friend_request',
  decline: 'decline_friend_request',
  unfriend: 'unfriend',
};

const open = async (user: TestUser) =>
  (await user.rows<{ check_in_id: string }>('select check_in_id from my_check_in()'))[0]
    ?.check_in_id;

/** The ID of the visit that a check-in created or found, by the key of the check-in. */
const named = new Map<unknown, string>();

/** The status of an executed command, or the reason for its rejection. */
type Outcome = { status: string } | { rejection: string };

async function send(user: TestUser, { id, command, input }: Command): Promise<Outcome> {
  await admin.rows('delete from private.rate_limits where subject = $1', [user.id]);
  if (command === 'set_favourite') {
    await user.rows(
      input.favourite
        ? 'insert into public.favourite_parks (park_id) values ($1) on conflict do nothing'
        : 'delete from public.favourite_parks where park_id = $1',
      [input.parkId],
    );
    return { status: 'saved' };
  }
  if (command === 'friendship_step') {
    const step = String(input.step);
    const key = step === 'send' && { p_key: id };
    const state = await user.call(RPCS[step] ?? '', { p_user_id: input.userId, ...key });
    return step === 'accept' && state !== 'friends'
      ? { rejection: 'friendships.requestOver' }
      : { status: step };
  }
  const parameters = {
    check_in: { p_park_id: input.parkId, p_switch: input.switch, p_stay_minutes: 60 },
    check_out: { p_visit_id: input.visitId },
    extend_stay: { p_visit_id: input.visitId, p_minutes: 30 },
  };
  const before = await open(user);
  const answer = (await user.call(command, { ...parameters[command], p_key: id })) as {
    status: string;
    check_in_id: string;
  };
  if (command === 'check_in') named.set(id, answer.check_in_id);
  // A command may end only the visit that its parameters name.
  else if (before !== named.get(input.visitId)) expect(await open(user)).toBe(before);
  return answer.status === 'elsewhere' ? { rejection: answer.status } : answer;
}

/** Reads the state of the database. */
async function ask(user: TestUser, other: TestUser): Promise<Answer> {
  const [visit] = await user.rows<{ visit: Visit }>(
    'select to_jsonb(m) as visit from my_check_in() m',
  );
  const favourites = await user.rows<{ id: number }>(
    'select park_id::int as id from public.favourite_parks order by park_id',
  );
  const page = (await user.call('user_page', { p_user_id: other.id })) as Pick<
    Answer,
    'friendship'
  >;
  return {
    visit: visit?.visit ?? null,
    favourites: favourites.map(({ id }) => id),
    friendship: page.friendship,
  };
}

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('seed %i', async (seed) => {
  const random = seeded(seed);
  const parks = [await fixtures.park('A'), await fixtures.park('B')];
  const [noa, tom] = await fixtures.users('Noa', 'Tom');
  const otherOf = (user: TestUser) => (user === noa ? tom : noa);
  const devices: Device[] = await Promise.all(
    [noa, noa, tom].map(async (user) => ({
      user,
      isOnline: true,
      queue: [],
      isStale: false,
      answer: await ask(user, otherOf(user)),
    })),
  );
  /** The server's result for each key. */
  const done = new Map<string, string>();

  const shownOn = ({ user, answer, queue }: Device): Answer => {
    const unsent = queue
      .filter(({ rejection }) => rejection === null)
      .map(({ id, command, input, queuedAt }) => ({
        id,
        command: COMMANDS[command],
        input,
        at: queuedAt,
        isQueued: true,
      }));
    const favourites = app.applyUnsent(unsent, app.parkKeys.favourites, answer.favourites).data;
    return {
      visit: app.myVisit(answer.visit, unsent, Date.now()),
      favourites: favourites.toSorted((a, b) => a - b),
      friendship: app.friendshipWith(otherOf(user).id, answer.friendship, unsent).friendship,
    };
  };
  const picture = ({ visit, ...rest }: Picture): Picture => ({
    ...rest,
    visit: visit && { check_in_id: visit.check_in_id, park_id: visit.park_id },
  });
  const followAll = async () => {
    for (const device of devices) {
      device.isStale = !device.isOnline;
      if (device.isOnline) device.answer = await ask(device.user, otherOf(device.user));
    }
  };
  const drain = async (device: Device) => {
    const promised = device.isStale ? null : picture(shownOn(device));
    for (const next of [...device.queue]) {
      if (next.rejection !== null) continue;
      const outcome = await send(device.user, next);
      if ('rejection' in outcome) next.rejection = outcome.rejection;
      else {
        expect(done.get(next.id) ?? outcome.status).toBe(outcome.status);
        done.set(next.id, outcome.status);
        device.queue = device.queue.filter((queued) => queued !== next);
      }
    }
    await followAll();
    if (!promised) return;
    const real = picture(shownOn(device));
    // If both users sent requests, they become friends, even if this user declined the other's request and no longer sees it.
    if (promised.friendship === 'outgoing' && real.friendship === 'friends')
      promised.friendship = 'friends';
    expect(real).toEqual(promised);
  };
  const choose = (device: Device): Pick<Command, 'command' | 'input'> => {
    const { visit, favourites, friendship } = shownOn(device);
    const parkId = random.pick(parks);
    if (random.chance(0.2))
      return {
        command: 'set_favourite',
        input: { parkId, favourite: !favourites.includes(parkId) },
      };
    if (random.chance(0.4))
      return {
        command: 'friendship_step',
        input: { userId: otherOf(device.user).id, step: random.pick(STEPS_FROM[friendship]) },
      };
    const command = visit
      ? random.pick(['check_in', 'check_out', 'extend_stay'] as const)
      : 'check_in';
    return {
      command,
      input:
        command === 'check_in'
          ? { parkId, dogIds: [], stayMinutes: 60, switch: random.chance(0.7) }
          : { visitId: visit?.check_in_id, minutes: 30, from: visit?.expires_at },
    };
  };
  const act = async (device: Device) => {
    const next = { ...choose(device), id: randomUUID(), queuedAt: Date.now(), rejection: null };
    device.queue = app.added(device.queue, next, COMMANDS[next.command].queue ?? {});
    if (!device.isOnline) return;
    // Simulates a lost response: the server executes the command, but the device does not receive the result.
    if (random.chance(0.2) && device.queue.length === 1) {
      const outcome = await send(device.user, next);
      if ('status' in outcome) done.set(next.id, outcome.status);
      device.isOnline = false;
      for (const each of devices) each.isStale = true;
    } else await drain(device);
  };

  for (let step = 0; step < STEPS; step += 1) {
    const device = random.pick(devices);
    if (random.chance(0.35)) {
      device.isOnline = !device.isOnline;
      if (device.isOnline) await drain(device);
    } else await act(device);
  }
  while (devices.some(({ isOnline }) => !isOnline)) {
    const device = random.pick(devices.filter(({ isOnline }) => !isOnline));
    device.isOnline = true;
    await drain(device);
  }

  for (const device of devices)
    expect(picture(shownOn(device))).toEqual(picture(await ask(device.user, otherOf(device.user))));
  const count = (status: string) => [...done.values()].filter((one) => one === status).length;
  const [made] = await admin.rows`select count(*)::int as visits,
       coalesce(sum(extract(epoch from expires_at - started_at) / 60 - 60), 0)::int as longer,
       coalesce(max(extract(epoch from expires_at - started_at) / 60), 0)::int as longest
     from check_ins where user_id = any (${[noa.id, tom.id]})`;
  expect(made?.visits).toBe(count('checked_in'));
  // Extensions end at the maximum stay of four hours.
  if (Number(made?.longest) < 240) expect(made?.longer).toBe(30 * count('extended'));
});
