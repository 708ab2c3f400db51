// The deep link that the app expects: it carries a secret that the app made before it opened the browser, valid once for ten minutes.
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
  // Stored, because Android may end the app while the browser is in front.
  await writeSecret(KEY, JSON.stringify(expected));
  return `packpark://auth-callback?${SECRET}=${expected.secret}`;
}

/** Whether this link is the expected one. Only a match consumes the secret: anybody's link must not end a login that is under way. */
export async function takeExpected(secret: string | null): Promise<boolean> {
  const text = secret && (await readSecret(KEY));
  if (!text) return false;
  const expected = JSON.parse(text) as Expected;
  if (expected.secret !== secret || expected.until < Date.now()) return false;
  await writeSecret(KEY, null);
  return true;
}
