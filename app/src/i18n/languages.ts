// The one table of languages: their names in themselves, their direction and their locale for Intl.
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr', locale: 'en-IL' },
  he: { name: 'עברית', direction: 'rtl', locale: 'he-IL' },
  ar: { name: 'العربية', direction: 'rtl', locale: 'ar-IL-u-nu-latn' },
} satisfies Record<string, { name: string; direction: 'ltr' | 'rtl'; locale: string }>;

/** Called once, when the configuration is known: dates and numbers are as people of the country write them. */
export function setRegion(region = 'IL'): void {
  for (const language of Object.values(LANGUAGES))
    language.locale = language.locale.replace(/-[A-Z]{2}/, `-${region}`);
}

export type Language = keyof typeof LANGUAGES;

export const DEFAULT_LANGUAGE: Language = 'en';
