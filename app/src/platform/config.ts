// What the host tells the app at start: addresses and switches, so that one build runs anywhere.
import { nativePlatform } from '#/platform/native.ts';

export interface Config {
  supabaseUrl: string;
  anonKey: string;
  siteUrl: string;
  /** `keep`: the provider lets devices keep tiles that were on their screen; the service worker reads it. */
  tiles: { url: string; attribution: string; keep: boolean };
  /** Whether the functions draw routes (a routing service is set). */
  routing: boolean;
  providers: { google: boolean; apple: boolean };
  /** The operators' mail address, for the info pages. */
  contact: string | null;
  /** Asked before signing up and in, where one is set. */
  captcha?: { provider: 'hcaptcha' | 'turnstile'; siteKey: string } | null;
}

let config: Config | null = null;

/**
 * Reads the configuration that the host wrote into the page, else asks for it. Called once, before the first render.
 * @throws where it can be had neither from the host nor from this device
 */
export async function loadConfig(): Promise<void> {
  const block = document.getElementById('config')?.textContent;
  if (block) config = JSON.parse(block) as Config;
  else if (nativePlatform())
    config = await import('#/platform/site.ts').then(({ nativeConfig }) => nativeConfig());
  else
    config = (await (
      await fetch('/config.json', { signal: AbortSignal.timeout(15_000) })
    ).json()) as Config;
}

/** @throws when read before loadConfig */
export function getConfig(): Config {
  if (!config) throw new Error('The configuration is read before it is loaded');
  return config;
}
