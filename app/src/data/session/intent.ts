// The visitor's intent before logging in, which continue-after-login.ts carries out afterwards. It is stored on this device for
// an hour, not in a URL.
import type { AnyRouter } from '@tanstack/react-router';
import { HOUR_MS } from '../../../../shared/durations.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import type { NamedOverlays } from '#/ui/overlays.ts';

const MAX_AGE_MS = HOUR_MS;

export interface Intent {
  href: string;
  /** Overlays to open on the page. */
  opens: NamedOverlays;
  /** The park to add to the favourites after the login, which needs no confirmation because it is not a public post. */
  favouriteParkId?: number | undefined;
  /** The user whose session was lost; null for a visitor's intent, which is for any user who logs in. */
  owner: string | null;
}

export function saveIntent(
  href: string,
  opens: NamedOverlays = {},
  owner: string | null = null,
  favouriteParkId?: number,
) {
  const until = Date.now() + MAX_AGE_MS;
  writeLocal('intent', JSON.stringify({ href, opens, owner, favouriteParkId, until }));
}

export const clearIntent = () => writeLocal('intent', null);

/** @returns null if there is none or it has expired @param userId the user who logged in; undefined before that is known */
export function readIntent(userId?: string): Intent | null {
  const stored = JSON.parse(readLocal('intent') ?? 'null') as (Intent & { until: number }) | null;
  if (!stored || stored.until < Date.now()) return null;
  return userId !== undefined && stored.owner !== null && stored.owner !== userId ? null : stored;
}

/** Continues with the action for which the visitor had to log in. @param fallback the path to open without an intent */
export type ContinueAfterLogin = (
  router: Pick<AnyRouter, 'navigate'>,
  intent: Intent | null,
  fallback: string,
) => Promise<void>;
