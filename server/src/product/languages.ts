// The languages that the host speaks in mails, link previews and imports.
export const LANGUAGES = ['en', 'he', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];
