// Tests that the privacy policy shows the date of its last change in each language.
import MessageFormat from '@messageformat/core';
import { expect, test } from 'vitest';
import { PRIVACY_UPDATED } from '#/features/info/privacy-updated.ts';
import { isolateOthers } from '#/i18n/isolate.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import arabic from '../../../../languages/ar/app.json' with { type: 'json' };
import english from '../../../../languages/en/app.json' with { type: 'json' };
import hebrew from '../../../../languages/he/app.json' with { type: 'json' };

test.each([
  ['en', english, 'Last updated 26.11.26'],
  ['he', hebrew, 'עודכן לאחרונה ב־26.11.26'],
  ['ar', arabic, 'آخر تحديث: 26.11.26'],
] as const)('formats the date of the last update in %s', (...shown) => {
  const [language, texts, sentence] = shown;
  expect(PRIVACY_UPDATED.iso).toBe('2026-11-26');
  const written = new MessageFormat(language).compile(texts['info.updated']);
  expect(
    written(isolateOthers({ date: PRIVACY_UPDATED.shown }, LANGUAGES[language].direction)),
  ).toBe(sentence);
});
