// The settings for how long sessions and their access tokens last. auth/sessions.ts applies them.
import * as v from 'valibot';
import { wholeNumber } from '#/host/lib/setting-types.ts';

export const SESSION_LIFETIME = {
  /** Lifetime of an access token in seconds. */
  JWT_LIFETIME: v.optional(wholeNumber(60, 604_800), '3600'),
  /** Hours after which a session ends even if it is used; by default never. */
  SESSION_MAX_HOURS: v.optional(wholeNumber(1, 87_600)),
  /** Hours without a refresh after which a session ends; by default never. */
  SESSION_IDLE_HOURS: v.optional(wholeNumber(1, 87_600)),
};
