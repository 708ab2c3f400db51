// The hash that stands for accounts that are not there: a machine that was short of memory once must not lock everybody out.
import { expect, test, vi } from 'vitest';
import { createPasswords } from '#/host/auth/passwords.ts';

const argon = vi.hoisted(() => ({ fails: false }));
vi.mock(import('@node-rs/argon2'), async (importOriginal) => {
  const real = await importOriginal();
  return {
    ...real,
    hash: (...given) =>
      argon.fails ? Promise.reject(new Error('Out of memory')) : real.hash(...given),
  };
});

test('after a hash that could not be made, passwords are compared again', async () => {
  const passwords = createPasswords(8);
  const stored = await passwords.hash('a walk in the park');
  argon.fails = true;
  await expect(passwords.verify('a walk in the park', null)).rejects.toThrow('Out of memory');
  argon.fails = false;
  expect(await passwords.verify('a walk in the park', stored)).toMatchObject({ right: true });
  expect(await passwords.verify('a walk in the park', null)).toMatchObject({ right: false });
});
