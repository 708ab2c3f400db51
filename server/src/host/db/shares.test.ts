// What is left of the connections while everybody asks for more than there are.
import { expect, test } from 'vitest';
import { createShares } from '#/host/db/shares.ts';

test.each([8, 16, 32])(
  'of %i connections an eighth stays free, whoever asks',
  async (connections) => {
    const shares = createShares(connections);
    let running = 0;
    let release = () => {};
    const busy = new Promise<void>((resolve) => (release = resolve));
    const work = () => {
      running += 1;
      return busy;
    };
    const asked = Array.from({ length: connections * 2 }, (_, index) => [
      shares.run({ role: 'anon' }, work, `203.0.113.${index}`),
      shares.run({ role: 'authenticated', sub: `person ${index}` }, work, ''),
    ]).flat();
    await Promise.resolve();
    expect(running).toBe((connections * 7) / 8);
    release();
    await Promise.all(asked);
  },
);
