// Tests facts of parks: the table accepts only those in shared/park-facts.ts, and stores their source and date.
import { expect, test } from 'vitest';
import { PARK_FACTS } from '../../shared/park-facts.ts';
import { createFixtures, errorCode } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, service } = fixtures;

const set = (park: number, key: string, value: unknown) =>
  admin.value`select private.set_park_fact(${park}, ${key}, ${value}, ${'community'}, ${'2026-11-22'})`;
const stored = async (park: number) =>
  (await fixtures.anonymous.rows('select facts, fact_sources from parks where id = $1', [park]))[0];

test('the database and the app have the same keys and values', async () => {
  const types = await admin.value('select private.park_fact_types()');
  expect(types).toEqual(PARK_FACTS);
});

test('a fact is set with its source and date, and made unknown again', async () => {
  const park = await fixtures.park();
  expect(await set(park, 'lit', 'yes')).toBe(true);
  expect(await set(park, 'fence:height', '1.2')).toBe(true);
  expect(await set(park, 'lit', 'no')).toBe(true);
  expect(await stored(park)).toEqual({
    facts: { lit: 'no', 'fence:height': '1.2' },
    fact_sources: { lit: ['community', '2026-11-22'], 'fence:height': ['community', '2026-11-22'] },
  });
  expect(await set(park, 'lit', null)).toBe(true);
  expect(await stored(park)).toMatchObject({ facts: { 'fence:height': '1.2' } });
  expect(await set(0, 'lit', 'yes')).toBe(false);
});

test.each([
  ['an unknown key', 'colour', 'red'],
  ['an unknown value', 'lit', 'maybe'],
  ['a number out of bounds', 'fence:height', '50'],
  ['no number', 'fence:height', '1e3'],
  ['a text that is too long', 'opening_hours', 'x'.repeat(256)],
  ['an empty text', 'opening_hours', ''],
  ['a line end in a text', 'opening_hours', '24/7\n'],
])('%s is rejected', async (_, key, value) => {
  expect(await errorCode(set(await fixtures.park(), key, value))).toBe('23514');
});

test('facts are an object with texts as values', async () => {
  const park = await fixtures.park();
  for (const facts of ['{"lit": true}', '{"lit": {"lit": "yes"}}', '["lit"]', '"lit"', 'null'])
    expect(
      await errorCode(
        admin.rows('update public.parks set facts = $2 where id = $1', [park, facts]),
      ),
    ).toBe('23514');
});

test('the published list contains facts, and new ones wait for an hour', async () => {
  const park = await fixtures.park();
  const changes = await service.call('stale_park_list');
  await service.call('park_list_published', { p_changes: changes });
  await set(park, 'small_dog', 'separate');
  expect(await service.call('stale_park_list')).toBeNull();
  await admin.rows`update private.park_list_changes set due_at = due_at - interval '1 hour'`;
  expect(await service.call('stale_park_list')).toHaveLength(1);
  const list = (await service.call('parks_for_publishing', { p_language: 'ar' })) as {
    id: number;
    facts?: unknown;
  }[];
  expect(list.find(({ id }) => id === park)?.facts).toEqual({ small_dog: 'separate' });
});
