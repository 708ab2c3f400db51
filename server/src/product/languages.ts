// The languages that the host speaks in mails, link previews and imports.
export const LANGUAGES = ['en', 'he', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DIRECTION = { en: 'ltr', he: 'rtl', ar: 'rtl' } as const satisfies Record<
  Language,
  string
>;
