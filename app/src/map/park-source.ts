// Where the map's parks come from: the site's list in a language.
import type { Language } from '#/i18n/languages.ts';
import { getConfig } from '#/platform/config.ts';
import type { ParkSource } from '#/map/cluster-protocol.ts';
import { nativePlatform } from '#/platform/native.ts';

/** The worker cannot see whether it is in a shell: it is told. */
export function parkSource(language: Language): ParkSource {
  return { supabaseUrl: getConfig().supabaseUrl, language, keep: nativePlatform() !== null };
}
