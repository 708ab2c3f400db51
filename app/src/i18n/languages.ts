// The one table of languages: their names in themselves, their direction and their locale for Intl.
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr', locale: 'en-IL' },
  he: { name: 'עברית', direction: 'rtl', locale: 'he-IL' },
  ar: { name: 'العربية', direction: 'rtl', locale: 'ar-IL-u-nu-latn' },
} as const;

export type Language = keyof typeof LANGUAGES;

export const DEFAULT_LANGUAGE: Language = 'en';
