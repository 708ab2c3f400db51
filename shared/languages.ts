// All languages; translations are in languages/<code>/. The first language is the fallback for missing messages.
interface About {
  /** Name in the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Unicode script name. */
  script: string;
  /** Locale for `Intl`. Its region is replaced with that of the site. */
  locale: string;
}

export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr', script: 'Latin', locale: 'en-IL' },
  he: { name: 'עברית', direction: 'rtl', script: 'Hebrew', locale: 'he-IL' },
  ar: { name: 'العربية', direction: 'rtl', script: 'Arabic', locale: 'ar-IL-u-nu-latn' },
} satisfies Record<string, About>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as [Language, ...Language[]];
