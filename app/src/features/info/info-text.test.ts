// Tests that the long texts have the same sections, lists, links and placeholders in each language.
import { expect, test } from 'vitest';
import type { Language } from '#/i18n/languages.ts';
import { type InfoPage, type InfoText, loadInfoText } from '#/features/info/info-text.ts';

const PAGES: InfoPage[] = ['about', 'privacy', 'terms', 'accessibility', 'delete-account'];
const OTHERS: Language[] = ['he', 'ar'];

const marks = (text: string) =>
  [...text.matchAll(/\]\((\/[^)]*)\)|(\{\w+\})/g)].map((found) => found[1] ?? found[2]).sort();

const structure = ({ sections }: InfoText) =>
  sections.map(({ id, body }) => ({
    id,
    blocks: body.map((block) =>
      typeof block === 'string' ? marks(block) : block.map((item) => marks(item)),
    ),
  }));

test.each(PAGES.flatMap((page) => OTHERS.map((language) => [page, language] as const)))(
  '%s has the same structure in %s as in English',
  async (page, language) => {
    const english = await loadInfoText('en', page);
    const other = await loadInfoText(language, page);
    expect(Object.keys(other)).toEqual(['title', 'lead', 'sections']);
    expect(structure(other)).toEqual(structure(english));
    const latin = JSON.stringify(other).match(/[A-Za-z]{4,}/g) ?? [];
    const ours = JSON.stringify(english);
    // A translated text contains no Latin letters except in names, so other Latin words are untranslated.
    expect(latin.filter((word) => !ours.includes(word))).toEqual([]);
    for (const { heading } of other.sections) expect(heading).not.toMatch(/^[\x20-\x7e]+$/);
  },
);
