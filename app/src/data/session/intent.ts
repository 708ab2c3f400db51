// What a visitor wanted before they logged in: it is open afterwards. It lies on this device for half an hour, and in no address.
import type { AnyRouter } from '@tanstack/react-router';
import { MINUTE_MS } from '#/core/durations.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { type NamedLayers, openNamed } from '#/ui/layers.ts';

const LATEST_MS = 30 * MINUTE_MS;

interface Intent {
  href: string;
  /** The sheets that are open there. */
  opens: NamedLayers;
  /** Whose session was lost; null for a visitor's, which is anybody's who logs in now. */
  owner: string | null;
}

export function keepIntent(href: string, opens: NamedLayers = {}, owner: string | null = null) {
  const until = Date.now() + LATEST_MS;
  writeLocal('intent', JSON.stringify({ href, opens, owner, until }));
}

/** What is wanted still, or null. @param userId who logged in; undefined before that is known */
export function readIntent(userId?: string): Intent | null {
  const kept = JSON.parse(readLocal('intent') ?? 'null') as (Intent & { until: number }) | null;
  if (!kept || kept.until < Date.now()) return null;
  return userId !== undefined && kept.owner !== null && kept.owner !== userId ? null : kept;
}

/** After a login: opens what was wanted before it. @param otherwise where it leads where nothing was */
export async function goOn(
  router: Pick<AnyRouter, 'navigate'>,
  intent: Intent | null,
  otherwise: string,
): Promise<void> {
  await router.navigate({ href: intent?.href ?? otherwise, replace: true });
  writeLocal('intent', null);
  if (intent) openNamed(intent.opens);
}
