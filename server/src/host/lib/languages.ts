/** The site's languages as two-letter codes; the first is the fallback. */
export type Languages<Language extends string = string> = readonly [Language, ...Language[]];

/**
 * Returns the first supported language of Accept-Language, otherwise the fallback.
 * @param preferred a code that overrides the header, such as that of `?lang`
 */
export function negotiateLanguage<Language extends string>(
  languages: Languages<Language>,
  request: Request,
  preferred = '',
): Language {
  const accepted = [preferred, ...(request.headers.get('accept-language') ?? '').split(',')];
  for (const entry of accepted) {
    const code = entry.trim().slice(0, 2).toLowerCase();
    const found = languages.find((language) => language === code);
    if (found) return found;
  }
  return languages[0];
}
