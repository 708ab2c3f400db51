// Tests that every message of the database exists in every language, and that every value of an enum has its messages.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#/host/lib/paths.ts';
import {
  DECISION_REASONS,
  SANCTIONS,
  NOTIFICATION_TYPES,
  PARK_CLAIMS,
  PARK_HAZARDS,
} from '../../shared/enums.ts';
import { createFixtures } from './fixtures.ts';

const { admin } = await createFixtures();

const english = (await admin.value(`select private.messages('en')`)) as Record<string, unknown>;

test('each language has all messages, in that language', async () => {
  const rows = await admin.rows<{ language: string; texts: Record<string, unknown> }>(
    `select l as language, private.messages(l) as texts from unnest(enum_range(null::public.language)) l`,
  );
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

test('each notification type, reason, sanction and hazard has its messages', () => {
  const keys = Object.keys(english);
  const begins = (type: string) => keys.some((key) => key === type || key.startsWith(`${type}.`));
  // Decisions are excluded, because they have a message for each type of item.
  const types = NOTIFICATION_TYPES.filter((type) => type !== 'deskDecision');
  expect(types.filter((type) => !begins(type))).toEqual([]);
  expect(keys).toEqual(
    expect.arrayContaining([
      ...DECISION_REASONS.map((reason) => `reason.${reason}`),
      ...SANCTIONS.map((sanction) => `sanction.${sanction}`),
    ]),
  );
  expect(Object.keys(english.hazards as object).sort()).toEqual([...PARK_HAZARDS].sort());
  const desk = JSON.parse(readFileSync(path.join(ROOT, 'languages/en/desk.json'), 'utf8')) as {
    values: object;
  };
  expect(Object.keys(desk.values)).toEqual(
    expect.arrayContaining([...PARK_HAZARDS, ...PARK_CLAIMS]),
  );
});
