// The languages, a line each; what is said in one is in languages/<code>/. The first stands in where a text is missing.
interface About {
  /** In the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Of its letters, as Unicode names it. */
  script: string;
  /** For Intl; the region follows the site. */
  locale: string;
}

export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr', script: 'Latin', locale: 'en-IL' },
  he: { name: 'עברית', direction: 'rtl', script: 'Hebrew', locale: 'he-IL' },
  ar: { name: 'العربية', direction: 'rtl', script: 'Arabic', locale: 'ar-IL-u-nu-latn' },
} satisfies Record<string, About>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as [Language, ...Language[]];
