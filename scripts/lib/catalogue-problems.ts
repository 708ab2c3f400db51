// Finds problems of the catalogues: keys, order, placeholders, plural forms, and English words in Hebrew or Arabic.
import { parse, type Token } from '@messageformat/parser';
import type { SourceKeys } from './message-keys.ts';

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;
const formsOf = (language: string) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return FORMS.filter((form) => pluralCategories.includes(form));
};
const isInLatin = (language: string) => new Intl.Locale(language).maximize().script === 'Latn';

/** Latin words that stay the same in every language: names and international terms. */
const NAMES = new Set(
  (
    'Packpark Google Apple Maps Waze OpenStreetMap Open Meteo Android iOS iPhone App Store Play ' +
    'GPS QR PDF JSON GeoJSON CSV ZIP JPEG PNG WebP HEIC MB KB IP ID URL SMS AA WCAG ODbL CC BY Enter'
  ).split(' '),
);

interface Anatomy {
  text: string[];
  placeholders: Set<string>;
  plurals: string[][];
}

/** Returns the plain text of a message, its placeholders (name and type) and its plurals (the forms of each). */
function anatomy(
  tokens: Token[],
  into: Anatomy = { text: [], placeholders: new Set(), plurals: [] },
): Anatomy {
  for (const token of tokens) {
    if (token.type === 'content') into.text.push(token.value);
    else if (token.type !== 'octothorpe') {
      const kind = token.type === 'function' ? token.key : token.type;
      into.placeholders.add(`${token.arg} (${kind})`);
      if (token.type === 'plural') into.plurals.push(token.cases.map(({ key }) => key));
      for (const { tokens: inner } of 'cases' in token ? token.cases : []) anatomy(inner, into);
    }
  }
  return into;
}

const tagsOf = (message: string) => [...message.matchAll(/<(\w+)>/g)].map(([, name = '']) => name);

const listed = (names: Iterable<string>) => [...new Set(names)].sort().join(', ') || 'none';

function latinWords(text: string) {
  const words = text.replaceAll(/<\/?\w+>/g, ' ').match(/[A-Za-z]{2,}/g) ?? [];
  return words.filter((word) => !NAMES.has(word));
}

type Catalogues = Record<string, Record<string, string>>;

/**
 * @param catalogues messages by key, for each language; the others are compared with English
 * @param file the file name in each language's folder: app.json is sorted by key, others follow the order of the screen
 */
export function catalogueProblems(catalogues: Catalogues, file = 'app.json'): string[] {
  const problems: string[] = [];
  const nameOf = (language: string) => `${language}/${file}`;
  const english = catalogues.en ?? {};
  /** The parsed English messages. The loop fills them first, because English is the first language. */
  const originals = new Map<string, Anatomy>();
  for (const [language, messages] of Object.entries(catalogues)) {
    const report = (key: string, what: string) =>
      problems.push(`${nameOf(language)}: ${key} ${what}`);
    const keys = Object.keys(messages);
    const sorted = file === 'app.json' ? [...keys].sort() : keys;
    const first = keys.findIndex((key, index) => key !== sorted[index]);
    if (first >= 0) report(keys[first] ?? '', 'is not in its place: keys are sorted');
    for (const key of Object.keys(english)) if (!(key in messages)) report(key, 'is missing');
    for (const [key, message] of Object.entries(messages)) {
      if (!(key in english)) report(key, `is not in ${nameOf('en')}`);
      if (message.trim() === '') report(key, 'is empty');
      let parts: Anatomy;
      try {
        parts = anatomy(parse(message));
      } catch (error) {
        report(key, `cannot be parsed: ${(error as Error).message}`);
        continue;
      }
      for (const forms of parts.plurals) {
        const named = forms.filter((form) => !form.startsWith('='));
        const wanted: string[] = formsOf(language);
        const missing = wanted.filter((form) => !named.includes(form));
        const extra = named.filter((form) => !wanted.includes(form));
        if (missing.length > 0) report(key, `has no plural form ${missing.join(', ')}`);
        if (extra.length > 0)
          report(key, `has a plural form that the language lacks: ${extra.join(', ')}`);
      }
      if (language === 'en') originals.set(key, parts);
      const original = originals.get(key);
      if (language === 'en' || !original) continue;
      for (const [what, found, wanted] of [
        ['placeholders', listed(parts.placeholders), listed(original.placeholders)],
        ['tags', listed(tagsOf(message)), listed(tagsOf(english[key] ?? ''))],
      ])
        if (found !== wanted) report(key, `has the ${what} ${found} instead of ${wanted}`);
      if (isInLatin(language)) continue;
      const latin = latinWords(parts.text.join(' '));
      if (latin.length > 0) report(key, `has Latin words: ${latin.join(', ')}`);
    }
  }
  return problems;
}

/** @param keys the keys of the English catalogue */
export function unusedAndMissing(keys: string[], sources: SourceKeys[]): string[] {
  const known = new Set(keys);
  const literals = new Set(sources.flatMap((source) => source.literals));
  const patterns = sources.flatMap((source) => source.patterns);
  const problems = keys
    .filter((key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)))
    .map((key) => `en/app.json: ${key} is used nowhere in app/src`);
  for (const { file, called } of sources)
    for (const key of called)
      if (!known.has(key)) problems.push(`${file}: there is no text ${key}`);
  return problems;
}
