// The deep link that the app expects after a login. It contains a secret that the app created before opening the browser, which is
// valid once, for ten minutes.
import { newUuid } from '#/core/uuid.ts';
import { readSecret, writeSecret } from '#/platform/secure-storage.ts';

const KEY = 'packpark-expected-link';
/** Query parameter of the secret. Login providers already use `state`. */
export const SECRET = 'app_state';
const PATIENCE_MS = 10 * 60 * 1000;

interface Expected {
  secret: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/** Creates the URL to which a login must return. An earlier URL becomes invalid. */
export async function expectDeepLink(): Promise<string> {
  const expected: Expected = { secret: newUuid(), until: Date.now() + PATIENCE_MS };
  // The secret is stored, because Android may kill the app while the browser is in the foreground.
  await writeSecret(KEY, JSON.stringify(expected));
  return `packpark://auth-callback?${SECRET}=${expected.secret}`;
}

/**
 * Checks that this link is the expected one. Only a match consumes the secret, because an attacker's link must not end a login in
 * progress.
 */
export async function takeExpected(secret: string | null): Promise<boolean> {
  const text = secret && (await readSecret(KEY));
  if (!text) return false;
  const expected = JSON.parse(text) as Expected;
  if (expected.secret !== secret || expected.until < Date.now()) return false;
  await writeSecret(KEY, null);
  return true;
}
