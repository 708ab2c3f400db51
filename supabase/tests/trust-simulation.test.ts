// Measures the values of the table in docs/trust.md: the effects and costs of an attack with several accounts over several days.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createFixtures, decide, saveReview, type TestUser } from './fixtures.ts';

type Fixtures = Awaited<ReturnType<typeof createFixtures>>;

const checkIn = (user: TestUser, park: number) =>
  user.call('check_in', {
    p_park_id: park,
    p_dog_count: 2,
    p_switch: true,
    // A modified device can send any location.
    p_location: { lat: 32.1, long: 34.8, accuracy: 10 },
  });
const report = (user: TestUser, park: number, hazard = 'poison') =>
  user.call('report_hazard', { p_park_id: park, p_hazard: hazard });
const confirm = (user: TestUser, id: unknown) => user.call('confirm_report', { p_report_id: id });
const end = (user: TestUser, id: unknown) => user.call('end_report', { p_report_id: id });

/**
 * Measures the effects, on the last day, of an attack by accounts that visit a park on several days, while honest users also use
 * it.
 */
async function attack(fixtures: Fixtures, size: number, days: number, honest: readonly TestUser[]) {
  const { admin, anonymous } = fixtures;
  const [park, fan, victim] = [
    await fixtures.park(),
    await fixtures.user('Fan'),
    await fixtures.user('Victim'),
  ];
  await fan.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  const status = () =>
    anonymous.call('park_status', { p_park_id: park }) as Promise<Record<string, unknown>>;
  const isVerified = (id: unknown) =>
    admin.value`select verified_at is not null from private.live_reports where id = ${id}`;
  const isShown = async (id: unknown) =>
    (await anonymous.rows`select from park_hazards where id = ${id} and cleared_at is null`)
      .length > 0;
  // Three users are regulars of the park, and two of them rated it with five stars.
  if (honest.length > 0) await fixtures.regulars(honest, park);
  for (const user of honest.slice(0, 2)) await saveReview(user, park, { p_rank: 5 });
  const accounts = await fixtures.crowd(size);
  for (let day = 1; day < days; day += 1) await fixtures.visited(park, accounts, day);

  for (const account of accounts) await checkIn(account, park);
  const { dogs_now: dogs } = await status();
  await admin.rows`update check_ins set started_at = started_at - interval '6 minutes' where park_id = ${park} and ended_at is null`;
  for (const account of accounts) await saveReview(account, park, { p_rank: 1 });
  await admin.rows('select private.reduce_history()');
  const { average_rank: rating } = await status();

  const [first, ...others] = accounts as [TestUser, ...TestUser[]];
  const alarm = await report(first, park);
  for (const account of others) await confirm(account, alarm);
  const isAlarming = await isVerified(alarm);
  await admin.rows('select private.notify_of_hazards()');
  const notified = (await fan.rows(`select from notifications where type = 'hazard'`)).length > 0;
  const hours = Number(
    await admin.value`select round(extract(epoch from expires_at - now()) / 3600) from private.live_reports where id = ${alarm}`,
  );
  for (const user of honest) await checkIn(user, park);
  let enders = 0;
  for (const user of honest) {
    enders += 1;
    if (await end(user, alarm)) break;
  }
  const ended = (await isShown(alarm)) ? 'a moderator' : `${enders} regulars`;

  // Two honest users report a true hazard, and all attacking accounts vote that it is over.
  let silenced = 'no';
  if (honest.length > 1) {
    const warning = await report(honest[0] as TestUser, park, 'glass');
    await confirm(honest[1] as TestUser, warning);
    expect(await isVerified(warning)).toBe(true);
    for (const account of accounts) await end(account, warning);
    if (!(await isShown(warning))) silenced = 'yes';
  }
  for (const account of accounts)
    await account.call('send_friend_request', { p_user_id: victim.id });
  const rings = (await victim.rows(`select from notifications where type = 'friendRequest'`))
    .length;
  return [
    String(dogs),
    String(rating === null ? '' : Number(rating)),
    isAlarming ? 'yes' : 'no',
    notified ? 'yes' : 'no',
    `${hours} h`,
    ended,
    silenced,
    String(rings),
  ];
}

test('the effects of several accounts match the table of docs/trust.md', async () => {
  const site = await createFixtures();
  const honest = await site.users('Ann', 'Bob', 'Cem');
  const found: Record<string, string[]> = {
    '20 accounts, 1 day': await attack(site, 20, 1, honest),
    '10 accounts, 7 days': await attack(site, 10, 7, honest),
    '2 accounts, 60 days': await attack(site, 2, 60, honest),
    "5 accounts, a site's first day": await attack(await createFixtures(), 5, 1, []),
  };
  const documented = readFileSync('docs/trust.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+ accounts/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  expect(documented.map((cells) => cells.slice(0, -1))).toEqual(
    Object.entries(found).map(([name, cells]) => [name, ...cells]),
  );
}, 60_000);

test('on a site without regulars a moderator verifies a hazard, newcomers alone cannot', async () => {
  const site = await createFixtures();
  const [ann, bob, fan] = await site.users('Ann', 'Bob', 'Fan');
  const park = await site.park();
  await fan.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  const moderator = await site.moderator('Moderator');
  const notified = async () => {
    await site.admin.rows('select private.notify_of_hazards()');
    return (await fan.rows(`select from notifications where type = 'hazard'`)).length;
  };
  for (const user of [ann, bob]) await checkIn(user, park);
  const id = await report(ann, park);
  await confirm(bob, id);
  expect(await notified()).toBe(0);
  const decision = await decide(moderator, 'hazard', id);
  expect(await notified()).toBe(1);
  expect(await moderator.call('desk_undo', { p_decision_id: decision })).toBe(true);
  expect(await notified()).toBe(0);
  // On a site with regulars, an approval only keeps the hazard listed.
  await site.regulars([ann], park);
  const glass = await report(bob, park, 'glass');
  await decide(moderator, 'hazard', glass);
  expect(await notified()).toBe(0);
});
