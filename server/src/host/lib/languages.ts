// The languages that the host speaks, in mails, link previews and imports, and which of them somebody asks for.
export const LANGUAGES = ['en', 'he', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** True for one of ours; anything else is ignored, never an error. */
export const isLanguage = (value: unknown): value is Language =>
  (LANGUAGES as readonly unknown[]).includes(value);

/** The first of ours in Accept-Language, else English. @param first a wish that comes before it, such as `?lang` */
export function askedLanguage(request: Request, first = ''): Language {
  return (
    [first, ...(request.headers.get('accept-language') ?? '').split(',')]
      .map((entry) => entry.trim().slice(0, 2).toLowerCase())
      .find(isLanguage) ?? 'en'
  );
}
