// The languages as the app has them: dates and numbers are as people of the site's country write them.
import { LANGUAGES as EVERYWHERE } from '../../../shared/languages.ts';

export const LANGUAGES = structuredClone(EVERYWHERE);

export type Language = keyof typeof LANGUAGES;

export const DEFAULT_LANGUAGE: Language = 'en';

/** Called once, when the configuration is known. */
export function setRegion(region = 'IL'): void {
  for (const language of Object.values(LANGUAGES))
    language.locale = language.locale.replace(/-[A-Z]{2}/, `-${region}`);
}
