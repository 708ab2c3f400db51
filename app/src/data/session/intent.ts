// What a visitor wanted to do before logging in; go-on.ts does it afterwards. It is stored on this device for half an hour, not in
// a URL.
import { MINUTE_MS } from '#/core/durations.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import type { NamedOverlays } from '#/ui/overlays.ts';

const LATEST_MS = 30 * MINUTE_MS;

/** A command whose effect only the user sees. */
export interface PrivateCommand {
  command: 'set_favourite';
  input: unknown;
}

export interface Intent {
  href: string;
  /** Overlays to open on the page. */
  opens: NamedOverlays;
  does?: PrivateCommand | undefined;
  /** The user whose session was lost; null for a visitor's intent, which is for any user who logs in. */
  owner: string | null;
}

export function keepIntent(
  href: string,
  opens: NamedOverlays = {},
  owner: string | null = null,
  does?: PrivateCommand,
) {
  const until = Date.now() + LATEST_MS;
  writeLocal('intent', JSON.stringify({ href, opens, owner, does, until }));
}

export const forgetIntent = () => writeLocal('intent', null);

/** @returns null if there is none or it has expired @param userId the user who logged in; undefined before that is known */
export function readIntent(userId?: string): Intent | null {
  const kept = JSON.parse(readLocal('intent') ?? 'null') as (Intent & { until: number }) | null;
  if (!kept || kept.until < Date.now()) return null;
  return userId !== undefined && kept.owner !== null && kept.owner !== userId ? null : kept;
}
