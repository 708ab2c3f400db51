// What a visitor wanted before they logged in (offline/go-on.ts does it afterwards). It lies on this device for half an hour, and in no address.
import { MINUTE_MS } from '#/core/durations.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import type { NamedOverlays } from '#/ui/overlays.ts';

const LATEST_MS = 30 * MINUTE_MS;

/** A command that nobody else sees. */
export interface PrivateCommand {
  command: 'set_favourite';
  input: unknown;
}

export interface Intent {
  href: string;
  /** The sheets that are open there. */
  opens: NamedOverlays;
  does?: PrivateCommand | undefined;
  /** Whose session was lost; null for a visitor's, which is anybody's who logs in now. */
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

/** What is wanted still, or null. @param userId who logged in; undefined before that is known */
export function readIntent(userId?: string): Intent | null {
  const kept = JSON.parse(readLocal('intent') ?? 'null') as (Intent & { until: number }) | null;
  if (!kept || kept.until < Date.now()) return null;
  return userId !== undefined && kept.owner !== null && kept.owner !== userId ? null : kept;
}
