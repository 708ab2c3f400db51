// What the host tells the app at start: addresses and switches, so that one build runs anywhere.
import { setUnits } from '#/core/distance.ts';
import { setParkTime } from '#/core/park-time.ts';
import { setStartPlace } from '#/core/place.ts';
import type { Config } from '#/platform/config-type.ts';
import { nativePlatform } from '#/platform/native.ts';

let config: Config | null = null;

/** Call it once, before the first render. @throws where it can be had neither from the host nor from this device */
export async function loadConfig(): Promise<void> {
  const block = document.getElementById('config')?.textContent;
  if (block) config = JSON.parse(block) as Config;
  else if (nativePlatform())
    config = await import('#/platform/site.ts').then(({ nativeConfig }) => nativeConfig());
  else
    config = (await (
      await fetch('/config.json', { signal: AbortSignal.timeout(15_000) })
    ).json()) as Config;
  const { time, start, units } = getConfig();
  setParkTime(time.zone, time.weekend, time.hours);
  setUnits(units);
  if (start) setStartPlace(start);
}

/** The languages that the site offers; undefined while that is not known, and for all. */
export const siteLanguages = (): string[] | undefined => config?.languages;

/** @throws when read before loadConfig */
export function getConfig(): Config {
  if (!config) throw new Error('The configuration is read before it is loaded');
  return config;
}
