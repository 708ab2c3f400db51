// Which site a shell belongs to, and its configuration: the cached one at once, a newer one for the next start.
import * as v from 'valibot';
import type { Config } from '#/platform/config-type.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { once } from '#/core/once.ts';
import { hasUnsaved } from '#/core/unsaved.ts';
import { nativePlatform } from '#/platform/native.ts';

/** What `npm run native` writes beside the built app. */
const siteSchema = v.object({
  siteUrl: v.pipe(v.string(), v.url()),
  push: v.object({ android: v.boolean(), ios: v.boolean() }),
});

/** As it is stored on the device. */
interface CachedConfig {
  from: string;
  config: Config;
}

/** @throws where the shell was built without `npm run native` */
const readSite = once(async () => v.parse(siteSchema, await (await fetch('/site.json')).json()));

/** Whether this build can receive pushes on this device; false in a browser. */
export async function canPush(): Promise<boolean> {
  const platform = nativePlatform();
  if (!platform) return false;
  return readSite().then(
    ({ push }) => push[platform],
    () => false,
  );
}

function cachedConfig(from: string): Config | null {
  try {
    const cached = JSON.parse(readLocal('config') ?? 'null') as CachedConfig | null;
    return cached?.from === from ? cached.config : null;
  } catch {
    return null;
  }
}

async function fetchConfig(from: string): Promise<Config> {
  const response = await fetch(`${from}/config.json`, { signal: AbortSignal.timeout(15_000) });
  if (!response.ok) throw new Error(`The site answers ${response.status}`);
  const config = (await response.json()) as Config;
  writeLocal('config', JSON.stringify({ from, config } satisfies CachedConfig));
  return config;
}

/** After the first start it needs no network. @throws at a first start without one */
export async function nativeConfig(): Promise<Config> {
  const { siteUrl } = await readSite();
  const cached = cachedConfig(siteUrl);
  const fresh = fetchConfig(siteUrl);
  if (!cached) return fresh;
  fresh.then(
    (config) => {
      // With another address or key nothing would work until the next start.
      const isOther =
        config.supabaseUrl !== cached.supabaseUrl || config.anonKey !== cached.anonKey;
      // Unsaved input must not be lost; the next start has the new configuration.
      if (isOther && !hasUnsaved()) location.reload();
    },
    () => undefined,
  );
  return cached;
}
