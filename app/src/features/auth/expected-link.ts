// Which deep link the app itself is waiting for: a secret that it made before it opened the browser, good once and for a while.
import { newUuid } from '#/core/uuid.ts';
import { readSecret, writeSecret } from '#/platform/secure-storage.ts';

const KEY = 'packpark-expected-link';
/** The name of the secret in the address; `state` belongs to the provider. */
export const SECRET = 'app_state';
const PATIENCE_MS = 10 * 60 * 1000;

interface Expected {
  secret: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** The address that a login has to come back to; one that was expected before is no longer. */
export async function expectDeepLink(): Promise<string> {
  const expected: Expected = { secret: newUuid(), until: Date.now() + PATIENCE_MS };
  // Android may end the app while the browser is in front: memory would not do.
  await writeSecret(KEY, JSON.stringify(expected));
  return `packpark://auth-callback?${SECRET}=${expected.secret}`;
}

/** Whether this is the link we wait for. Only a right answer uses it up: a stranger's link must not end a login that is under way. */
export async function takeExpected(secret: string | null): Promise<boolean> {
  const text = secret && (await readSecret(KEY));
  if (!text) return false;
  const expected = JSON.parse(text) as Expected;
  if (expected.secret !== secret || expected.until < Date.now()) return false;
  await writeSecret(KEY, null);
  return true;
}
