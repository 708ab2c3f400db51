// Loads the host's configuration at start-up, so one build runs on any site.
import { setUnits } from '#/core/distance.ts';
import { setParkTime } from '../../../shared/park-time.ts';
import { setStartPlace } from '#/core/place.ts';
import type { Config } from '#/platform/config-type.ts';
import { nativePlatform } from '#/platform/native.ts';

let config: Config | null = null;

/** Call once, before the first render. @throws if neither the host nor this device has it */
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

/** Offered languages; undefined for all or before the configuration has loaded. */
export const siteLanguages = (): string[] | undefined => config?.languages;

/** @throws if called before loadConfig */
export function getConfig(): Config {
  if (!config) throw new Error('The configuration is read before it is loaded');
  return config;
}
