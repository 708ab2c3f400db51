// Passwords: hashes with argon2id off the event loop, verifies imported bcrypt hashes, and rejects weak passwords.
import { readlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FairSemaphore } from '#/host/limits/fair-semaphore.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import { MAX_PASSWORD_LENGTH } from '../../../../shared/input-lengths.ts';

// OWASP's minimum for argon2id (the library's default algorithm): 19 MiB, two passes, one lane.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The same parameters, in the format in which hashes contain them. */
const STORED_PARAMETERS = `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`;
const MAX_PENDING = 500;

/** Node's default number of threads in its pool. */
const POOL_THREADS = 4;
const MAX_SEARCHES = 100;

/**
 * Lowers the priority of Node's thread pool, which computes the hashes, so that the event loop and the database do not wait for a
 * processor. Only Linux has priorities of threads.
 */
async function lowerPoolPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  const threads = new Set<string>();
  for (let search = 0; search < MAX_SEARCHES && threads.size < POOL_THREADS; search += 1) {
    // The link names the thread that reads it, and the pool chooses that thread.
    const reads = Array.from({ length: POOL_THREADS }, () => readlink('/proc/thread-self'));
    for (const thread of await Promise.all(reads)) threads.add(thread);
  }
  for (const thread of threads)
    os.setPriority(Number(path.basename(thread)), os.constants.priority.PRIORITY_BELOW_NORMAL);
}

let lowered: Promise<void> | undefined;
/** The library is loaded when the first password is hashed, because it needs much memory. */
async function argon() {
  // Without /proc, the priority stays.
  await (lowered ??= lowerPoolPriority().catch(() => undefined));
  return import('@node-rs/argon2');
}
const bcrypt = async () => (await import('bcryptjs')).default;

export function createPasswords(minLength: number) {
  // One core stays free for the event loop and the database, however many users log in at the same time.
  const width = Math.max(1, Math.min(4, os.availableParallelism() - 1));
  const permits = new FairSemaphore({ permits: width, each: width, capacity: MAX_PENDING });
  const queued = <T>(work: () => Promise<T>): Promise<T> => permits.run('', work);
  const hash = (password: string) => queued(async () => (await argon()).hash(password, PARAMETERS));
  let dummy: Promise<string> | undefined;
  /** A hash that belongs to no account, created once. A failure is retried; otherwise it would block all logins. */
  const dummyHash = () =>
    (dummy ??= hash('nobody has this password').catch((error: unknown) => {
      dummy = undefined;
      throw error;
    }));

  return {
    /** @throws AuthError 422 weak_password, or 422 validation_failed above 256 characters */
    check(password: string): void {
      if (password.length > MAX_PASSWORD_LENGTH)
        throw new AuthError(
          422,
          'validation_failed',
          `Password cannot be longer than ${MAX_PASSWORD_LENGTH} characters`,
        );
      if ([...password].length < minLength)
        throw new AuthError(
          422,
          'weak_password',
          `Password should be at least ${minLength} characters.`,
          { weak_password: { reasons: ['length'] } },
        );
    },
    hash,
    /**
     * Compares a password with a stored hash. Without a hash, it takes as long and returns false, so the time does not reveal
     * whether an account exists. `outdated` means that the password must be hashed again and stored.
     */
    async verify(password: string, stored: string | null) {
      if (password.length > MAX_PASSWORD_LENGTH) return { right: false, outdated: false };
      if (stored?.startsWith('$2'))
        return {
          right: await queued(async () => (await bcrypt()).compare(password, stored)),
          outdated: true,
        };
      const known = stored?.startsWith('$argon2') ?? false;
      // Awaited for known and unknown emails alike, so that both take the same time.
      const nobody = await dummyHash();
      const compared = known && stored ? stored : nobody;
      const right = await queued(async () =>
        (await argon()).verify(compared, password).catch(() => false),
      );
      return { right: known && right, outdated: !compared.includes(STORED_PARAMETERS) };
    },
  };
}
