// What the database says, it says in each language.
import { expect, test } from 'vitest';
import { createFixtures } from './fixtures.ts';

const { admin } = await createFixtures();

test('each language says everything, in its own words', async () => {
  const rows = await admin.rows<{ language: string; texts: Record<string, unknown> }>(
    `select l as language, private.texts(l) as texts from unnest(enum_range(null::public.language)) l`,
  );
  const english = rows.find(({ language }) => language === 'en')?.texts ?? {};
  expect(rows.length).toBeGreaterThan(1);
  for (const { language, texts } of rows) {
    expect(Object.keys(texts).sort(), language).toEqual(Object.keys(english).sort());
    if (language !== 'en')
      expect(
        Object.entries(texts).filter(([key, text]) => text === english[key]),
        language,
      ).toEqual([]);
  }
});
