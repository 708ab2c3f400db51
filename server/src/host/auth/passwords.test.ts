// Tests the hash that is used for unknown accounts, because a temporary lack of memory must not block all logins, and the priority of
// hashes.
import { readlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
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

test.runIf(process.platform === 'linux')(
  'the threads that compute hashes have a lower priority than the event loop',
  async () => {
    await createPasswords(8).hash('a walk in the park');
    const threads = await Promise.all(
      Array.from({ length: 100 }, () => readlink('/proc/thread-self')),
    );
    for (const thread of threads)
      expect(os.getPriority(Number(path.basename(thread)))).toBeGreaterThan(os.getPriority());
  },
);
