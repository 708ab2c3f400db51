// Tests the hash that is used for unknown accounts: a temporary lack of memory must not block all logins.
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

test('if the hash could not be created once, passwords can still be compared later', async () => {
  const passwords = createPasswords(8);
  const stored = await passwords.hash('a walk in the park');
  argon.fails = true;
  await expect(passwords.verify('a walk in the park', null)).rejects.toThrow('Out of memory');
  argon.fails = false;
  expect(await passwords.verify('a walk in the park', stored)).toMatchObject({ right: true });
  expect(await passwords.verify('a walk in the park', null)).toMatchObject({ right: false });
});
