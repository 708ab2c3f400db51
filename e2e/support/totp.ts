// Codes of an authenticator app, for tests with a second factor.
import { TOTP } from 'otpauth';

/** Returns the code of the next half minute, which is valid already and stays valid for at least a minute. */
export const totp = (secret: string): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
