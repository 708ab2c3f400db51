// Live reports: one per park and condition, confirmed or over by the word of others, gone when they expire.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixtures, refusal, type Fixtures, type Person } from './fixtures.ts';

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await createFixtures();
});
afterAll(() => fixtures.close());

const people = async () => {
  const [ann, bob, eve] = await Promise.all(
    ['Ann', 'Bob', 'Eve'].map((name) => fixtures.person(name)),
  );
  return [ann, bob, eve] as [Person, Person, Person];
};
const report = (person: Person, park: number, condition = 'muddy') =>
  person.call('report_condition', { p_park_id: park, p_condition: condition });
const confirm = (person: Person, id: unknown) =>
  person.call('confirm_condition', { p_report_id: id });
const end = (person: Person, id: unknown) => person.call('end_condition', { p_report_id: id });
const conditions = (park: number, who: Person | Fixtures['anonymous'] = fixtures.anonymous) =>
  who.rows(
    'select condition, confirmations, mine from park_conditions where park_id = $1 order by 1',
    [park],
  );

test('a report shows to everybody, and reporting it again confirms it', async () => {
  const [[ann, bob], park] = [await people(), await fixtures.park()];
  const id = await report(ann, park);
  expect(await conditions(park)).toEqual([{ condition: 'muddy', confirmations: 0, mine: false }]);
  expect(await report(bob, park)).toBe(id);
  expect(await confirm(bob, id)).toBe(true);
  expect(await confirm(ann, id)).toBe(true);
  expect(await conditions(park, ann)).toEqual([
    { condition: 'muddy', confirmations: 1, mine: true },
  ]);
  expect(
    await fixtures.anonymous.value('select conditions::text[] from park_live where park_id = $1', [
      park,
    ]),
  ).toEqual(['muddy']);
});

test('people who report the same thing at once make one report', async () => {
  const park = await fixtures.park();
  const crowd = await Promise.all(
    Array.from({ length: 8 }, (_, index) => fixtures.person(`P${index}`)),
  );
  const ids = await Promise.all(crowd.map((person) => report(person, park)));
  expect(new Set(ids).size).toBe(1);
  expect(await conditions(park)).toEqual([{ condition: 'muddy', confirmations: 7, mine: false }]);
});

test('it is over by the word of its reporter, or of two others, at once too', async () => {
  const [[ann, bob, eve], park] = [await people(), await fixtures.park()];
  const id = await report(ann, park);
  expect(await end(bob, id)).toBe(false);
  expect(await end(bob, id)).toBe(false);
  expect(await conditions(park)).toHaveLength(1);
  expect(await end(eve, id)).toBe(true);
  expect(await conditions(park)).toEqual([]);
  expect(await confirm(bob, id)).toBe(false);
  expect(await end(ann, await report(ann, park))).toBe(true);

  const third = await report(ann, park);
  expect((await Promise.all([end(bob, third), end(eve, third)])).sort()).toEqual([false, true]);
});

test('a fresh confirmation outweighs an earlier word that it is over', async () => {
  const [[ann, bob, eve], park] = [await people(), await fixtures.park()];
  const id = await report(ann, park);
  await end(bob, id);
  await confirm(eve, id);
  expect(await end(eve, id)).toBe(false);
  expect(await conditions(park)).toHaveLength(1);
});

test('it expires unless confirmed, and can be reported anew', async () => {
  const [[ann, bob], park] = [await people(), await fixtures.park()];
  const id = await report(ann, park, 'gateClosed');
  const age = () =>
    fixtures.admin.rows(
      `update private.live_reports set expires_at = expires_at - interval '5 hours 59 minutes' where id = $1`,
      [id],
    );
  await age();
  await confirm(bob, id);
  await age();
  expect(await conditions(park)).toHaveLength(1);
  await age();
  expect(await conditions(park)).toEqual([]);
  expect(await confirm(bob, id)).toBe(false);
  expect(await report(bob, park, 'gateClosed')).not.toBe(id);
});

test('a key reports once, and too many reports are refused', async () => {
  const [[ann], park] = [await people(), await fixtures.park()];
  const key = randomUUID();
  const parameters = { p_park_id: park, p_condition: 'muddy', p_key: key };
  const id = await ann.call('report_condition', parameters);
  await end(ann, id);
  expect(await ann.call('report_condition', parameters)).toBe(id);
  expect(await conditions(park)).toEqual([]);
  const answers = [];
  for (let index = 0; index < 30; index += 1) answers.push(await refusal(report(ann, park)));
  expect(answers.slice(0, 28)).not.toContain('too_many');
  expect(answers.at(-1)).toBe('too_many');
});
