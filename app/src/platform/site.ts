// The site of a native app and its configuration: the cached one immediately, a newer one at the next start.
import * as v from 'valibot';
import type { Config } from '#/platform/config-type.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { once } from '#/core/once.ts';
import { hasUnsaved } from '#/core/unsaved.ts';
import { nativePlatform } from '#/platform/native.ts';

/** site.json, which `npm run native` adds to the built app. */
const siteSchema = v.object({
  siteUrl: v.pipe(v.string(), v.url()),
  push: v.object({ android: v.boolean(), ios: v.boolean() }),
});

interface CachedConfig {
  from: string;
  config: Config;
}

/** @throws if the app was built without `npm run native` */
const readSite = once(async () => v.parse(siteSchema, await (await fetch('/site.json')).json()));

/** True if this build can receive pushes on this device; false in a browser. */
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
  if (!response.ok) throw new Error(`The site responds with ${response.status}`);
  const config = (await response.json()) as Config;
  writeLocal('config', JSON.stringify({ from, config } satisfies CachedConfig));
  return config;
}

/** Works offline after the first start. @throws at a first start while offline */
export async function nativeConfig(): Promise<Config> {
  const { siteUrl } = await readSite();
  const cached = cachedConfig(siteUrl);
  const fresh = fetchConfig(siteUrl);
  if (!cached) return fresh;
  fresh.then(
    (config) => {
      // If the URL or key has changed, all requests of the cached configuration fail.
      const isOther =
        config.supabaseUrl !== cached.supabaseUrl || config.anonKey !== cached.anonKey;
      // Do not reload while there is unsaved input, which would be lost. The next start uses the new configuration in any case.
      if (isOther && !hasUnsaved()) location.reload();
    },
    () => undefined,
  );
  return cached;
}
