// Tests that towns act only for their own parks and with the second factor, that their decisions can be undone, and that they never
// learn who reported something.
import { expect, test } from 'vitest';
import {
  createFixtures,
  decide,
  inHours,
  probeRpcs,
  sanction,
  errorCode,
  type Caller,
  type TestUser,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, service } = fixtures;

/** Creates a member of a town with these parks, and a session of the same user that used only the password. */
async function townOf(name: string, of: { parks?: number[]; area?: string }) {
  const user = await fixtures.moderator(`Clerk of ${name}`);
  await service.call('desk_set_role', {
    p_user_id: user.id,
    p_role: 'town',
    p_town: name,
    p_parks: of.parks,
    p_area: of.area,
  });
  return user;
}
const post = (who: Caller, park: number, more = {}) =>
  who.call('town_post_notice', {
    p_park_id: park,
    p_type: 'closed',
    p_text: 'New  grass',
    p_starts_at: inHours(-1),
    p_ends_at: inHours(24),
    ...more,
  }) as Promise<string>;
const undo = (who: Caller, decision: unknown) => who.call('town_undo', { p_decision_id: decision });
const answer = (who: Caller, report: unknown, done: boolean | null) =>
  who.call('town_respond_to_hazard', { p_id: report, p_done: done });
const statusOf = async (park: number) =>
  (await fixtures.anonymous.call('park_status', { p_park_id: park })) as {
    notices: { id: string; type: string; text: string; town: string }[];
    hazards: { in_hand_by: string | null }[];
  };
const noticesOf = async (park: number) =>
  (await statusOf(park)).notices.map(({ type, text, town }) => [type, text, town]);
/** Returns the data on the card of a park, from the changes since an earlier response. */
const cardOf = async (park: number, since: number | null) => {
  const response = (await fixtures.anonymous.call('live_counts', { p_since: since })) as {
    at: number;
    conditions?: Record<string, string[]>;
  };
  return { at: response.at, conditions: response.conditions?.[park] };
};
const deskOf = (who: Caller) => who.call('town_desk') as Promise<Record<string, unknown[]>>;
const notificationsOf = (user: TestUser) =>
  user.rows`select title, app_message from notifications where type = 'deskDecision' order by created_at, id`;

test('only members of the town have access, and they have no other access', async () => {
  const park = await fixtures.park();
  const town = await townOf('Haifa', { parks: [park] });
  const [user, moderator, administrator, former, limited] = [
    await fixtures.user('User'),
    await fixtures.moderator('Moderator'),
    await fixtures.moderator('Administrator', { role: 'administrator' }),
    await townOf('Haifa', {}),
    await townOf('Haifa', {}),
  ];
  await service.call('desk_set_role', { p_user_id: former.id, p_role: null });
  await sanction(service, 'user', limited.id, 'limit');
  const passwordOnly = fixtures.withPasswordOnly(town);
  const others = [
    fixtures.anonymous,
    user,
    moderator,
    administrator,
    former,
    limited,
    passwordOnly,
  ];
  for (const who of others) {
    expect(await probeRpcs(admin, who, 'town_')).toEqual(['42501']);
    expect(await errorCode(post(who, park))).toBe('42501');
  }
  expect(await probeRpcs(admin, town, 'desk_')).toEqual(['42501']);
  const waiting = `select name from storage.objects where bucket_id = 'pending-photos'`;
  await service.rows`insert into storage.objects (bucket_id, name) values ('pending-photos', ${`${park}/other/a.webp`})`;
  expect(await town.rows(waiting)).toEqual([]);
  expect(await moderator.rows(waiting)).toHaveLength(1);
  expect(await town.rows('select user_id from user_roles')).toEqual([{ user_id: town.id }]);
  expect(await deskOf(town)).toMatchObject({ town: 'Haifa', parks: [{ id: park }] });
});

test("a notice shows with the town's name until it ends, is withdrawn or undone; only on its own parks, and without links", async () => {
  const [park, elsewhere] = [await fixtures.park(), await fixtures.park()];
  const town = await townOf('Acre', { parks: [park] });
  const neighbour = await townOf('Nahariya', { parks: [elsewhere] });
  const shown = [['closed', 'New grass', 'Acre']];
  const decision = await post(town, park);
  await post(town, park, { p_type: 'sprayed', p_starts_at: inHours(1) });
  expect(await noticesOf(park)).toEqual([...shown, ['sprayed', 'New grass', 'Acre']]);
  const { at, conditions } = await cardOf(park, null);
  expect(conditions).toEqual(['closed']);
  expect(await errorCode(post(town, elsewhere))).toBe('42501');
  for (const text of [
    'haifa.example.com',
    'http://x',
    'ＷＷＷ.x',
    'a@b.il',
    'haifa\u200b•com',
    'x'.repeat(301),
  ])
    expect(await errorCode(post(town, park, { p_text: text }))).toBe('23514');
  expect(await errorCode(post(town, park, { p_ends_at: inHours(-0.5) }))).toBe('invalid_input');
  expect(await errorCode(post(town, park, { p_ends_at: inHours(9000) }))).toBe('invalid_input');
  const [notice] = (await statusOf(park)).notices;
  const withdraw = (who: Caller) => who.call('town_withdraw_notice', { p_id: notice?.id });
  expect(await withdraw(neighbour)).toBeNull();
  expect(await undo(neighbour, decision)).toBe(false);
  const withdrawn = await withdraw(town);
  expect(await cardOf(park, at)).toMatchObject({ conditions: [] });
  expect(await undo(town, withdrawn)).toBe(true);
  expect(await cardOf(park, at)).toMatchObject({ conditions: ['closed'] });
  expect(await undo(town, decision)).toBe(true);
  expect(await undo(town, decision)).toBe(false);
  expect(await cardOf(park, at)).toMatchObject({ conditions: [] });
  const works = await post(town, park, { p_type: 'works', p_text: '' });
  // A moderator sees the town's decisions and can undo them.
  const moderator = await fixtures.moderator('Moderator');
  expect(
    await moderator.rows`select type, decision from desk_decisions() where id = ${works}`,
  ).toEqual([{ type: 'notice', decision: 'post' }]);
  expect(await moderator.call('desk_undo', { p_decision_id: works })).toBe(true);
  expect((await noticesOf(park)).map(([type]) => type)).toEqual(['sprayed']);
  const acts =
    await admin.rows`select act from private.audit_log where details ->> 'decision' = any (${[decision, works]}) order by id`;
  expect(acts.map(({ act }) => act)).toEqual(['post', 'undo', 'post', 'undo']);
});

test('a member who moves to another town can no longer see or undo decisions for the earlier one', async () => {
  const [park, other] = [await fixtures.park(), await fixtures.park()];
  const mover = await townOf('Earlier Town', { parks: [park] });
  const decision = await post(mover, park);
  expect((await deskOf(mover)).decisions).toHaveLength(1);
  const colleague = await townOf('Later Town', { parks: [other] });
  await service.call('desk_set_role', {
    p_user_id: mover.id,
    p_role: 'town',
    p_town: 'Later Town',
  });
  for (const user of [mover, colleague]) {
    expect((await deskOf(user)).decisions).toEqual([]);
    expect(await undo(user, decision)).toBe(false);
  }
  const later = await post(mover, other);
  expect(await undo(colleague, later)).toBe(true);
});

test('a town has the parks within its area; a new area replaces them', async () => {
  const [inside, outside] = [await fixtures.park(), await fixtures.park()];
  await admin.rows`update parks set lat = 47.8, long = 13.05 where id = ${inside}`;
  await admin.rows`update parks set lat = 48.2, long = 16.37 where id = ${outside}`;
  const town = await townOf('Salzburg', { area: '((12.9,47.7),(13.2,47.7),(13.05,47.95))' });
  await post(town, inside);
  expect(await errorCode(post(town, outside))).toBe('42501');
  expect(await deskOf(town)).toMatchObject({ parks: [{ id: inside }] });
  await townOf('Salzburg', { parks: [outside] });
  expect(await errorCode(post(town, inside))).toBe('42501');
  await post(town, outside);
});

test('a fact set by the town applies immediately and takes precedence over users, until it is undone', async () => {
  const [park, elsewhere] = [await fixtures.park(), await fixtures.park()];
  const town = await townOf('Eilat', { parks: [park] });
  const user = await fixtures.user('User');
  await admin.rows`update private.user_consents set terms_accepted_at = now(), licence_agreed_at = now() where user_id = ${town.id}`;
  const suggest = (who: Caller, of: number, lit: string) =>
    who.call('suggest_park_details', { p_park_id: of, p_shade: 4, p_facts: { lit } });
  const factsOf = (of: number) =>
    admin.value`select jsonb_build_array(shade, facts, jsonb_path_query_array(fact_sources, '$.*[0]')) from parks where id = ${of}`;
  const early = await suggest(user, park, 'no');
  await suggest(town, park, 'yes');
  expect(await factsOf(park)).toEqual([4, { lit: 'yes' }, ['Eilat', 'Eilat']]);
  await suggest(town, elsewhere, 'yes');
  expect(await factsOf(elsewhere)).toEqual([null, {}, []]);
  expect(await errorCode(suggest(user, park, 'no'))).toBe('decided_by_town');
  const moderator = await fixtures.moderator('Moderator');
  expect(await errorCode(decide(moderator, 'correction', early))).toBe('decided_by_town');
  await decide(moderator, 'correction', early, 'not_true');
  const [decision] = (await deskOf(town)).decisions as { id: string; type: string }[];
  expect(decision).toMatchObject({ type: 'town_fact' });
  expect(await undo(town, decision?.id)).toBe(true);
  expect(await factsOf(park)).toEqual([null, {}, []]);
  expect(await town.rows`select from park_suggestions where park_id = ${park}`).toEqual([]);
  await suggest(user, park, 'no');
});

test('new names, and moves out of its area, wait for a moderator; undoing always works', async () => {
  const park = await fixtures.park('Own park');
  await admin.rows`update parks set lat = 47.8, long = 13.05 where id = ${park}`;
  const area = '((12.9,47.7),(13.2,47.7),(13.05,47.95))';
  const town = await townOf('Graz', { area });
  await admin.rows`update private.user_consents set terms_accepted_at = now(), licence_agreed_at = now() where user_id = ${town.id}`;
  const correct = (more: object) => town.call('suggest_park_details', { p_park_id: park, ...more });
  const now = () =>
    admin.value`select jsonb_build_array(t.name, p.lat) from parks p join park_translations t on t.park_id = p.id where p.id = ${park}`;
  await correct({ p_translations: { en: { name: 'Vote for me' } } });
  await correct({ p_lat: 48.2, p_long: 16.37 });
  expect(await now()).toEqual(['Own park', 47.8]);
  expect(await town.rows`select status from park_suggestions where park_id = ${park}`).toEqual([
    { status: 'pending' },
    { status: 'pending' },
  ]);
  await correct({ p_lat: 47.81, p_long: 13.06 });
  expect(await now()).toEqual(['Own park', 47.81]);
  const [decision] = (await deskOf(town)).decisions as { id: string }[];
  // The park no longer belongs to the town.
  await townOf('Graz', { area: '((0,0),(1,0),(1,1))' });
  expect((await deskOf(town)).decisions).toMatchObject([
    { id: decision?.id, park_name: 'Own park' },
  ]);
  expect(await undo(town, decision?.id)).toBe(true);
  expect(await now()).toEqual(['Own park', 47.8]);
});

test('a hazard is marked as in progress and done; its reporters are notified, and the town never learns who they are', async () => {
  const [park, elsewhere] = [await fixtures.park('Meir Park'), await fixtures.park()];
  const town = await townOf('Tel Aviv', { parks: [park] });
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  await fixtures.regulars([ann, bob], park);
  const report = (who: TestUser, of: number) =>
    who.call('report_hazard', { p_park_id: of, p_hazard: 'glass' });
  for (const user of [ann, bob])
    await user.call('check_in', {
      p_park_id: park,
      p_switch: true,
      p_location: { lat: 32.1, long: 34.8 },
    });
  const neighbour = await townOf('Jaffa', { parks: [elsewhere] });
  for (const wrong of ['parks', 'a@b.il,c@d.il', 'a b@c.il'])
    expect(await errorCode(town.call('town_set_mail', { p_email: wrong }))).toBe('23514');
  await town.call('town_set_mail', { p_email: 'parks@tel-aviv.test' });
  const id = await report(ann, park);
  const mails = () =>
    admin.rows`select m.* from private.jobs j,
        private.town_mail((j.payload ->> 'town_id')::bigint, (j.payload ->> 'report_id')::uuid) m
      where j.type = 'desk-mail' and j.payload ->> 'report_id' = ${id}`;
  await admin.rows('select private.notify_of_hazards()');
  expect(await mails()).toEqual([]);
  await report(bob, park);
  await admin.rows('select private.notify_of_hazards()');
  expect(await mails()).toEqual([]);
  const letter = `select array(select jsonb_object_keys(j.payload)) as stored, m.lines[1] as line
    from private.jobs j, private.town_code_mail((j.payload ->> 'town_id')::bigint) m where j.key like 'town %'`;
  const [sent] = await admin.rows<{ stored: string[]; line: string }>(letter);
  expect(sent?.stored).toEqual(['town_id']);
  const code = /[0-9A-F]{5}(-[0-9A-F]{5}){3}/.exec(sent?.line ?? '')?.[0] ?? '';
  for (const [who, given] of [
    [town, 'wrong'],
    [neighbour, code],
  ] as const)
    expect(await who.call('town_confirm_mail', { p_code: given })).toBe(false);
  expect(await town.call('town_confirm_mail', { p_code: code.toLowerCase() })).toBe(true);
  expect(await deskOf(town)).toMatchObject({ mail: 'parks@tel-aviv.test', mail_confirmed: true });
  expect(await mails()).toMatchObject([
    {
      email: 'parks@tel-aviv.test',
      lines: ['\u2068Meir Park\u2069: broken glass reported', expect.any(String)],
    },
  ]);
  expect(await answer(town, await report(ann, elsewhere), true)).toBeNull();
  expect((await deskOf(town)).hazards).toMatchObject([{ id, verified: true, in_hand: false }]);
  expect(JSON.stringify(await deskOf(town))).not.toMatch(new RegExp(`${ann.id}|${bob.id}`));
  const inHand = await answer(town, id, false);
  for (const again of [false, null]) expect(await answer(town, id, again)).toBeNull();
  expect((await statusOf(park)).hazards).toMatchObject([{ in_hand_by: 'Tel Aviv' }]);
  const notification = {
    title: 'The town is taking care of it',
    app_message:
      '\u2068Tel Aviv\u2069 is taking care of what you reported. \u2068Meir Park\u2069: broken glass reported.',
  };
  for (const user of [ann, bob]) expect(await notificationsOf(user)).toEqual([notification]);
  expect(await undo(town, inHand)).toBe(true);
  expect(await notificationsOf(ann)).toEqual([]);
  expect((await statusOf(park)).hazards).toMatchObject([{ in_hand_by: null }]);
  const done = await answer(town, id, true);
  expect((await notificationsOf(bob)).map(({ title }) => title)).toEqual([
    'The town took care of it',
  ]);
  expect(await mails()).toEqual([]);
  expect((await deskOf(town)).hazards).toEqual([]);
  const all = [await deskOf(town), done, await town.rows('select * from notifications')];
  expect(JSON.stringify(all)).not.toMatch(new RegExp(`${ann.id}|${bob.id}`));
  await report(bob, park);
  expect(await errorCode(undo(town, done))).toBe('reported_again');
  await service.call('desk_set_role', { p_user_id: town.id, p_role: null });
  expect(await errorCode(undo(town, done))).toBe('42501');
});

test("a town's email address is removed when turned off, not confirmed in a day, or the town has no members left", async () => {
  const park = await fixtures.park();
  const town = await townOf('Bat Yam', { parks: [park] });
  const set = (email: string | null) => town.call('town_set_mail', { p_email: email });
  const keep = () =>
    admin.rows`do $$ begin execute (select statement from private.retention where name like 'addresses of towns%'); end $$`;
  const mail = () => admin.rows`select mail from private.towns where name = 'Bat Yam'`;
  await set('parks@bat-yam.test');
  await set(null);
  expect(await mail()).toEqual([{ mail: null }]);
  await set('parks@bat-yam.test');
  await keep();
  expect(await mail()).toEqual([{ mail: 'parks@bat-yam.test' }]);
  await admin.rows`update private.towns set mail_requested_at = now() - interval '25 hours' where name = 'Bat Yam'`;
  await keep();
  expect(await mail()).toEqual([{ mail: null }]);
  await admin.rows`update private.towns set mail = 'parks@bat-yam.test', mail_code = null where name = 'Bat Yam'`;
  await keep();
  expect(await mail()).toEqual([{ mail: 'parks@bat-yam.test' }]);
  await service.call('desk_set_role', { p_user_id: town.id, p_role: null });
  await keep();
  expect(await mail()).toEqual([{ mail: null }]);
});

test('notices are deleted 90 days after their end', async () => {
  const park = await fixtures.park();
  await post(await townOf('Holon', { parks: [park] }), park);
  const age = (days: number) =>
    admin.rows`update private.park_notices set ends_at = now() - make_interval(days => ${days}),
      starts_at = now() - interval '1 year' where park_id = ${park}`;
  const left = () =>
    admin.value`select count(*)::int from private.park_notices where park_id = ${park}`;
  await age(89);
  await admin.rows('select private.reduce_history()');
  expect(await left()).toBe(1);
  await age(91);
  await admin.rows('select private.reduce_history()');
  expect(await left()).toBe(0);
});
