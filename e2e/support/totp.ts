// The codes of an authenticator app, for journeys with a second factor.
import { TOTP } from 'otpauth';

/** Those of the half minute to come: they count already, and there is a minute at least to send them. */
export const totp = (secret: string): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
