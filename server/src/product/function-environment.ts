// The environment variables of our functions. They have the same names on the Supabase platform.
import type { Settings } from '#/product/settings.ts';

const NAMES = [
  'SITE_URL',
  'WEATHER_URL',
  'WEATHER_PER_DAY',
  'GEOCODER_URL',
  'ADDRESS_COUNTRY',
  'GEOCODER_AUTOCOMPLETE',
  'GEOCODER_PER_SECOND',
  'ROUTER_URL',
  'FCM_SERVICE_ACCOUNT',
  'FCM_URL',
  'VAPID_KEY',
  'WEB_PUSH_URL',
] as const satisfies (keyof Settings)[];

export function functionEnvironment(settings: Settings): Record<string, string> {
  const entries = NAMES.map((name) => [name, settings[name]] as const);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
