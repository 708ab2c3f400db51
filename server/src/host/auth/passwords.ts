// Passwords: hashes with argon2id off the event loop, verifies imported bcrypt hashes, and rejects weak passwords.
import { availableParallelism } from 'node:os';
import { FairSemaphore } from '#/host/limits/fair-semaphore.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import { MAX_PASSWORD_LENGTH } from '../../../../shared/input-lengths.ts';

// OWASP's minimum for argon2id (the library's default algorithm): 19 MiB, two passes, one lane.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The same parameters, in the format in which hashes contain them. */
const STORED_PARAMETERS = `m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}`;
const MAX_PENDING = 500;

/** Loaded when the first password is hashed, because the library needs much memory. */
const argon = () => import('@node-rs/argon2');
const bcrypt = async () => (await import('bcryptjs')).default;

export function createPasswords(minLength: number) {
  // One core stays free for the event loop and the database, however many users log in at the same time.
  const width = Math.max(1, Math.min(4, availableParallelism() - 1));
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
