// Language negotiation.

/** `[fallback, ...others]` as two-letter codes. */
export type Languages<Language extends string = string> = readonly [Language, ...Language[]];

/**
 * The first supported language of Accept-Language, otherwise the fallback.
 * @param preferred a code with precedence over the header, such as that of `?lang`
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
