// Tests which connections stay free when callers request more than there are.
import { expect, test } from 'vitest';
import { createCallerQuotas } from '#/host/limits/caller-quotas.ts';

test.each([8, 16, 32])(
  'of %i connections an eighth stays free under any load',
  async (connections) => {
    const quotas = createCallerQuotas(connections);
    let running = 0;
    let release = () => {};
    const busy = new Promise<void>((resolve) => (release = resolve));
    const work = () => {
      running += 1;
      return busy;
    };
    const requests = Array.from({ length: connections * 2 }, (_, index) => [
      quotas.run({ role: 'anon' }, work, `203.0.113.${index}`),
      quotas.run({ role: 'authenticated', sub: `user ${index}` }, work, ''),
    ]).flat();
    await Promise.resolve();
    expect(running).toBe((connections * 7) / 8);
    release();
    await Promise.all(requests);
  },
);

test('an anonymous caller with many requests leaves connections to anonymous callers with other IPs', async () => {
  const quotas = createCallerQuotas(16);
  const begun: string[] = [];
  let [endFirst, endOthers] = [() => {}, () => {}];
  const first = new Promise<void>((resolve) => (endFirst = resolve));
  const others = new Promise<void>((resolve) => (endOthers = resolve));
  const send = (ip: string, until = others) =>
    quotas.run(
      { role: 'anon' },
      () => {
        begun.push(ip);
        return until;
      },
      ip,
    );
  const [lot, one] = ['198.51.100.1', '198.51.100.2'];
  const requests = [send(lot, first), ...Array.from({ length: 39 }, () => send(lot)), send(one)];
  expect(begun).toEqual([lot, lot, lot, lot, one]);
  endFirst();
  endOthers();
  await Promise.all(requests);
});

test('work that is known to be slow shares two connections from its first request on', async () => {
  const quotas = createCallerQuotas(16);
  let running = 0;
  let release = () => {};
  const busy = new Promise<void>((resolve) => (release = resolve));
  const work = () => {
    running += 1;
    return busy;
  };
  const slow = Array.from({ length: 5 }, (_, index) =>
    quotas.run({ role: 'authenticated', sub: `user ${index}` }, work, '', true),
  );
  await Promise.resolve();
  expect(running).toBe(2);
  const usual = quotas.run({ role: 'authenticated', sub: 'user 0' }, work, '');
  await Promise.resolve();
  expect(running).toBe(3);
  release();
  await Promise.all([...slow, usual]);
});

test('all callers with costly requests share two connections, and other callers do not wait for them', async () => {
  let clock = 0;
  const quotas = createCallerQuotas(16, () => clock);
  let running: string[] = [];
  const send = (ip: string, milliseconds: number) =>
    quotas.run(
      { role: 'anon' },
      async () => {
        running.push(ip);
        await Promise.resolve();
        clock += milliseconds;
      },
      ip,
    );
  const [first, second, cheap] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];
  for (let n = 0; n < 100; n += 1) await send(cheap, 45);
  for (let n = 0; n < 4; n += 1) await Promise.all([send(first, 1500), send(second, 1500)]);
  // Eleven requests of the cheap caller are slow, as on a busy machine. Compared with the other callers they still cost little.
  for (let n = 0; n < 11; n += 1) await send(cheap, 200);
  const begunAtOnce = async () => {
    running = [];
    const all = [first, first, first, second, second, second, cheap, cheap].map((ip) =>
      send(ip, 0),
    );
    const begun = [...running].sort();
    await Promise.all(all);
    return begun;
  };
  expect(await begunAtOnce()).toEqual([first, first, cheap, cheap]);
  clock += 120_000;
  expect(await begunAtOnce()).toEqual([first, first, first, second, second, second]);
});

test('callers whose requests were slow leave connections to others', async () => {
  let clock = 0;
  const quotas = createCallerQuotas(16, () => clock);
  const begun: string[] = [];
  let release = () => {};
  const busy = new Promise<void>((resolve) => (release = resolve));
  const send = (ip: string, work: () => Promise<void>) => quotas.run({ role: 'anon' }, work, ip);
  const wait = (ip: string) =>
    send(ip, () => {
      begun.push(ip);
      return busy;
    });
  const heavy = Array.from({ length: 6 }, (_, index) => `203.0.113.${index}`);
  for (const ip of heavy)
    await send(ip, () => {
      clock += 700;
      return Promise.resolve();
    });
  const requests = [...heavy, '198.51.100.1'].map(wait);
  expect(begun).toEqual([...heavy.slice(0, 4), '198.51.100.1']);
  release();
  await Promise.all(requests);
  expect(begun).toHaveLength(7);
});
