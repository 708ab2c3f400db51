// Three devices of two people whose network comes and goes: at the end each shows what the database has, and each command took
// effect once. SEEDS=200 plays more of them.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, test } from 'vitest';
import { seeded } from '../../testing/seeded.ts';
import { createFixtures, type Person } from './fixtures.ts';

interface Stay {
  check_in_id: string;
  park_id: number;
  expires_at: string;
}
interface Command {
  id: string;
  command: 'check_in' | 'check_out' | 'extend_stay';
  input: Record<string, unknown>;
  queuedAt: number;
  refused: string | null;
}
type WhereAmI = (answer: Stay | null, queue: Command[], now: number) => Stay | null;
interface Device {
  person: Person;
  isOnline: boolean;
  queue: Command[];
  answer: Stay | null;
}

const SEEDS = Number(process.env.SEEDS ?? 10);
const STEPS = 30;

const fixtures = await createFixtures();
const file = path.join(import.meta.dirname, '../../app/src/features/check-ins/whereabouts.ts');
const { whereAmI } = (await import(file)) as { whereAmI: WhereAmI };

const open = async (person: Person) =>
  (await person.rows<{ check_in_id: string }>('select check_in_id from my_check_in()'))[0]
    ?.check_in_id;

/** By the key of a check-in: the visit that it made or found. */
const named = new Map<unknown, string>();

async function send(person: Person, { id, command, input }: Command): Promise<{ status: string }> {
  await fixtures.admin.rows('delete from private.rate_limits where subject = $1', [person.id]);
  const parameters = {
    check_in: { p_park_id: input.parkId, p_switch: input.switch, p_stay_minutes: 60 },
    check_out: { p_visit_id: input.visitId },
    extend_stay: { p_visit_id: input.visitId, p_minutes: 30 },
  };
  const before = await open(person);
  const answer = (await person.call(command, { ...parameters[command], p_key: id })) as {
    status: string;
    check_in_id: string;
  };
  if (command === 'check_in') named.set(id, answer.check_in_id);
  // It ends the visit that it names, and no other.
  else if (before !== named.get(input.visitId)) expect(await open(person)).toBe(before);
  return answer;
}

async function learn(device: Device): Promise<void> {
  const [stay = null] = await device.person.rows<{ stay: Stay }>(
    'select to_jsonb(m) as stay from my_check_in() m',
  );
  device.answer = stay && stay.stay;
}

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('seed %i', async (seed) => {
  const random = seeded(seed);
  const parks = [await fixtures.park('A'), await fixtures.park('B')];
  const [noa, tom] = await fixtures.people('Noa', 'Tom');
  const devices: Device[] = [noa, noa, tom].map((person) => ({
    person,
    isOnline: true,
    queue: [],
    answer: null,
  }));
  /** What the server did for each key. */
  const done = new Map<string, string>();

  const follow = async (person: Person) => {
    for (const device of devices)
      if (device.isOnline && device.person === person) await learn(device);
  };
  const drain = async (device: Device) => {
    for (const next of [...device.queue]) {
      if (next.refused !== null) continue;
      const { status } = await send(device.person, next);
      if (status === 'elsewhere') next.refused = status;
      else {
        expect(done.get(next.id) ?? status).toBe(status);
        done.set(next.id, status);
        device.queue = device.queue.filter((queued) => queued !== next);
      }
    }
    await follow(device.person);
  };
  const act = async (device: Device) => {
    const stay = whereAmI(device.answer, device.queue, Date.now());
    const command = stay
      ? random.pick(['check_in', 'check_out', 'extend_stay'] as const)
      : 'check_in';
    const next: Command = {
      id: randomUUID(),
      command,
      input:
        command === 'check_in'
          ? { parkId: random.pick(parks), dogIds: [], stayMinutes: 60, switch: random.chance(0.7) }
          : { visitId: stay?.check_in_id, minutes: 30 },
      queuedAt: Date.now(),
      refused: null,
    };
    device.queue.push(next);
    if (!device.isOnline) return;
    // The server did it, and the answer is lost with the network.
    if (random.chance(0.2) && device.queue.length === 1) {
      const { status } = await send(device.person, next);
      if (status !== 'elsewhere') done.set(next.id, status);
      device.isOnline = false;
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

  for (const device of devices) {
    const [real] = await device.person.rows<{ check_in_id: string; park_id: number }>(
      'select check_in_id, park_id::int from my_check_in()',
    );
    const shown = whereAmI(device.answer, device.queue, Date.now());
    expect(shown && { check_in_id: shown.check_in_id, park_id: shown.park_id }).toEqual(
      real ?? null,
    );
  }
  const count = (status: string) => [...done.values()].filter((one) => one === status).length;
  const [made] = await fixtures.admin.rows`select count(*)::int as visits,
       coalesce(sum(extract(epoch from expires_at - started_at) / 60 - 60), 0)::int as longer,
       coalesce(max(extract(epoch from expires_at - started_at) / 60), 0)::int as longest
     from check_ins where user_id = any (${[noa.id, tom.id]})`;
  expect(made?.visits).toBe(count('checked_in'));
  // Four hours at most: what goes beyond them is not added.
  if (Number(made?.longest) < 240) expect(made?.longer).toBe(30 * count('extended'));
});
