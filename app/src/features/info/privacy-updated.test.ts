// What the privacy policy says about when it changed last, in each language.
import MessageFormat from '@messageformat/core';
import { expect, test } from 'vitest';
import { PRIVACY_UPDATED } from '#/features/info/privacy-updated.ts';
import { isolateOthers } from '#/i18n/isolate.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import arabic from '#/i18n/messages/ar.json' with { type: 'json' };
import english from '#/i18n/messages/en.json' with { type: 'json' };
import hebrew from '#/i18n/messages/he.json' with { type: 'json' };

test.each([
  ['en', english, 'Last updated 1.7.25'],
  ['he', hebrew, 'עודכן לאחרונה ב־1.7.25'],
  ['ar', arabic, 'آخر تحديث: 1.7.25'],
] as const)('in %s it was last updated 1.7.25', (...shown) => {
  const [language, texts, sentence] = shown;
  expect(PRIVACY_UPDATED.iso).toBe('2025-07-01');
  const written = new MessageFormat(language).compile(texts['info.updated']);
  expect(
    written(isolateOthers({ date: PRIVACY_UPDATED.shown }, LANGUAGES[language].direction)),
  ).toBe(sentence);
});
