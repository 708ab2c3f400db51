// Tests the question about an unknown fact of a park: one per visit; answers that agree become the fact, and different answers are
// shown as disputed.
import { expect, test } from 'vitest';
import { CHOICE_KEYS } from '../../shared/park-facts.ts';
import { createFixtures, errorCode, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous } = fixtures;

interface Question {
  check_in_id: string;
  park_id: number;
  fact: string;
}

const ask = async (user: TestUser) => (await user.call('park_question')) as Question | null;
const answer = (user: TestUser, question: Question | null, p_value: string | null) =>
  user.call('respond_to_park_question', { p_check_in_id: question?.check_in_id, p_value });
/** Checks in, gets the question and answers it. Returns the agreed value. */
const visit = async (user: TestUser, park: number, value: string | null) => {
  await user.call('check_in', { p_park_id: park, p_switch: true });
  const question = await ask(user);
  return { fact: question?.fact, ...((await answer(user, question, value)) as object) };
};
const facts = (park: number) => anonymous.value('select facts from parks where id = $1', [park]);
const disputed = async (park: number) =>
  ((await anonymous.call('park_status', { p_park_id: park })) as Record<string, unknown>)
    .disputed_facts;
const regular = async (name: string, park: number) => {
  const user = await fixtures.user(name);
  await fixtures.regulars([user], park);
  return user;
};

test('every fact with buttons for its values is asked about', async () => {
  const questioned = await admin.value('select private.questioned_facts()');
  expect([...(questioned as string[])].sort()).toEqual([...CHOICE_KEYS].sort());
});

test('if two users at the park agree, one of them a regular, their value becomes the fact', async () => {
  const park = await fixtures.park();
  const [ann, bob] = [await regular('Ann', park), await fixtures.user('Bob')];
  expect(await visit(ann, park, 'yes')).toEqual({ fact: 'fenced', agreed: null });
  expect(await facts(park)).toEqual({});
  // A fact with one answer is asked about first.
  expect(await visit(bob, park, 'yes')).toEqual({ fact: 'fenced', agreed: 'yes' });
  expect(await facts(park)).toEqual({ fenced: 'yes' });
  expect(
    await anonymous.value`select fact_sources #>> '{fenced,0}' from parks where id = ${park}`,
  ).toBe('community');
  // Only the day is stored, because the time would reveal that a user was there.
  expect(
    await anonymous.value(
      `select updated_at = date_trunc('day', now(), 'Asia/Jerusalem') and updated_at < now() from parks where id = $1`,
      [park],
    ),
  ).toBe(true);
  const cat = await fixtures.user('Cat');
  expect(await visit(cat, park, null)).toEqual({ fact: 'drinking_water', agreed: null });
});

test('a visit has one question, which a user at the park can answer once', async () => {
  const park = await fixtures.park();
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  expect(await ask(ann)).toBeNull();
  await ann.call('check_in', { p_park_id: park });
  const question = await ask(ann);
  expect(await ask(ann)).toEqual(question);
  expect(await errorCode(answer(bob, question, 'yes'))).toBe('question_closed');
  expect(await errorCode(answer(ann, question, 'perhaps'))).toBe('invalid_input');
  await answer(ann, question, null);
  expect(await ask(ann)).toBeNull();
  expect(await errorCode(answer(ann, question, 'yes'))).toBe('question_closed');
  // A check-in from far away is a plan, for which there are no questions.
  await bob.call('check_in', { p_park_id: park, p_location: { lat: 33, long: 35, accuracy: 20 } });
  expect(await ask(bob)).toBeNull();
});

test('nobody can answer before agreeing to the licence of facts', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  await admin.rows`update private.user_consents set licence_agreed_at = null where user_id = ${ann.id}`;
  await ann.call('check_in', { p_park_id: park });
  expect(await errorCode(answer(ann, await ask(ann), 'yes'))).toBe('licence_required');
});

test('a fact on which regulars disagree stays open and disputed until one side has a sufficient score', async () => {
  const park = await fixtures.park();
  const [ann, bob, cat, dan] = await fixtures.users('Ann', 'Bob', 'Cat', 'Dan');
  await fixtures.regulars([ann, bob, cat, dan], park);
  await visit(ann, park, 'yes');
  await visit(bob, park, 'no');
  expect(await disputed(park)).toEqual({ fenced: ['no', 'yes'] });
  expect(await facts(park)).toEqual({});
  expect(await visit(cat, park, 'yes')).toEqual({ fact: 'fenced', agreed: 'yes' });
  expect(await disputed(park)).toEqual({});
  expect(await visit(dan, park, 'yes')).toMatchObject({ fact: 'drinking_water' });
});

test('twenty new accounts neither settle a fact nor make it disputed', async () => {
  const park = await fixtures.park();
  const ann = await regular('Ann', park);
  await visit(ann, park, 'yes');
  for (let index = 0; index < 20; index += 1)
    await visit(await fixtures.user(`P${index}`), park, 'no');
  expect([await facts(park), await disputed(park)]).toEqual([{}, {}]);
  const bob = await regular('Bob', park);
  expect(await visit(bob, park, 'yes')).toEqual({ fact: 'fenced', agreed: 'yes' });
});

test('an undone visit withdraws its answer, and the fact that depended on it', async () => {
  const park = await fixtures.park();
  await visit(await regular('Ann', park), park, 'yes');
  const bob = await fixtures.user('Bob');
  expect(await visit(bob, park, 'yes')).toMatchObject({ agreed: 'yes' });
  const id =
    await admin.value`select id from check_ins where user_id = ${bob.id} and ended_at is null`;
  await bob.call('undo_check_in', { p_visit_id: id });
  expect(await facts(park)).toEqual({});
  expect(await visit(await fixtures.user('Cat'), park, 'yes')).toMatchObject({ agreed: 'yes' });
});
