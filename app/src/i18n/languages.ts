// Languages of the app. Dates and numbers are formatted for the site's country.
import { LANGUAGES as EVERYWHERE } from '../../../shared/languages.ts';

export const LANGUAGES = structuredClone(EVERYWHERE);

export type Language = keyof typeof LANGUAGES;

export const DEFAULT_LANGUAGE: Language = 'en';

/** Call this once, with the region of the configuration. */
export function setRegion(region = 'IL'): void {
  for (const language of Object.values(LANGUAGES))
    language.locale = language.locale.replace(/-[A-Z]{2}/, `-${region}`);
}
