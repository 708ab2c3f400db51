// Phones that ran the released app open a newer one: nothing that waited there is lost, and each is sent once.
import type { Page } from '@playwright/test';
import { addDog, reservePark } from '../support/fixtures.ts';
import { CUT, expectQueueEmpty } from '../support/offline-driver.ts';
import {
  everyReleasedEntry,
  plantReleasedStorage,
  releasedEntry,
} from '../support/released-app-storage.ts';
import { expect, test, type Person, type Site } from '../support/test.ts';

test.use({ serviceWorkers: 'allow', allowedErrors: [CUT] });

/** Somebody else reports a condition; answers the report's id. */
async function reportOf(site: Site, parkId: number, condition: 'muddy' | 'gateClosed') {
  const reporter = await site.person();
  await reporter.client.rpc('accept_terms');
  await reporter.client.rpc('report_condition', { p_park_id: parkId, p_condition: condition });
  const [report] = await site.sql<{ id: string }>(
    'select id from private.live_reports where reporter = $1',
    [reporter.id],
  );
  return report?.id ?? '';
}

/** Requests that change something, counted by the last part of their path, or by the bucket of a file. */
function countChanges(page: Page): Map<string, number> {
  const counts = new Map<string, number>();
  page.on('request', (request) => {
    if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method())) return;
    const { pathname } = new URL(request.url());
    const bucket = /^\/storage\/v1\/object\/(users|pending-photos)\/./.exec(pathname)?.[1];
    const name = bucket ? `a file in ${bucket}` : (pathname.split('/').at(-1) ?? '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  });
  return counts;
}

/** What the database knows of what somebody did. */
async function doneBy(site: Site, person: Person): Promise<Record<string, number> | undefined> {
  const [row] = await site.sql<Record<string, number>>(
    `select
      (select count(*)::int from public.check_ins where user_id = $1 and ended_at is not null) check_ins,
      (select count(*)::int from public.reviews where author = $1 and content = 'Good water') reviews,
      (select count(*)::int from private.live_reports where reporter = $1) reports,
      (select count(*)::int from private.live_report_votes where user_id = $1 and vote = 'confirm') confirmed,
      (select count(*)::int from private.live_report_votes where user_id = $1 and vote = 'over') ended,
      (select count(*)::int from public.favourite_parks where user_id = $1) favourites,
      (select count(*)::int from private.friendships where requester = $1) friend_requests,
      (select count(*)::int from storage.objects where bucket_id = 'users' and name like $1 || '/%') dog_photos,
      (select count(*)::int from private.photo_uploaders where user_id = $1) park_photos`,
    [person.id],
  );
  return row;
}

test('one of every kind of command that waited there is sent once, in the session of then', async ({
  pageFor,
  site,
}) => {
  const [person, friend] = [await site.person(), await site.person()];
  const { id: parkId } = await reservePark(site);
  const reportIds = {
    confirmed: await reportOf(site, parkId, 'muddy'),
    over: await reportOf(site, parkId, 'gateClosed'),
  };
  const dogId = await addDog(person, 'Luna');
  const page = await pageFor();
  const storage = await everyReleasedEntry(person, {
    parkId,
    dogId,
    reportIds,
    friendId: friend.id,
  });
  await plantReleasedStorage(page, site, person, storage);
  const changes = countChanges(page);

  await page.goto('/about');
  await expect
    .poll(() => doneBy(site, person))
    .toEqual({
      check_ins: 1,
      reviews: 1,
      reports: 1,
      confirmed: 1,
      ended: 1,
      favourites: 1,
      friend_requests: 1,
      dog_photos: 1,
      park_photos: 1,
    });
  await expectQueueEmpty(page);
  // A start later there is nothing left to send.
  await page.goto(`/profile/${person.id}/dogs`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(person.name);
  await expectQueueEmpty(page);
  const addresses: Record<string, string> = {
    dog_photo: 'a file in users',
    park_photo: 'a file in pending-photos',
    set_favourite: 'favourite_parks',
  };
  for (const { deed } of storage.entries)
    expect(changes.get(addresses[deed] ?? deed), deed).toBe(1);
});

test('what the server had refused still says why, and can be tried again', async ({
  pageFor,
  site,
}) => {
  const person = await site.person();
  const [here, there] = [await reservePark(site), await reservePark(site)];
  await person.client.rpc('check_in', { p_park_id: there.id, p_dog_count: 1 });
  const args = { p_park_id: here.id, p_dog_count: 1, p_stay_minutes: 60, p_switch: false };
  const page = await pageFor();
  await plantReleasedStorage(page, site, person, {
    entries: [releasedEntry(person, 'check_in', args, { refused: 'outbox.elsewhere' })],
    photos: {},
  });
  await page.goto('/about');
  await page.getByRole('button', { name: '1 thing was refused' }).click();
  const list = page.getByRole('dialog', { name: 'Waiting to be sent' });
  await expect(list).toContainText('You are checked in at another park');
  await list.getByRole('button', { name: 'Switch parks' }).click();
  await expect
    .poll(async () => (await person.client.rpc('my_check_in')).data)
    .toMatchObject([{ park_id: here.id }]);
  await expect(page.getByRole('button', { name: /refused|waits/ })).toBeHidden();
});

test('what waited there for somebody else is sent when they log in, and by nobody before', async ({
  pageFor,
  site,
}) => {
  const [person, other] = [await site.person(), await site.person()];
  const { id: parkId } = await reservePark(site);
  const page = await pageFor();
  const mine = releasedEntry(person, 'set_favourite', { park_id: parkId, favourite: true });
  const theirs = releasedEntry(other, 'set_favourite', { park_id: parkId, favourite: true });
  await plantReleasedStorage(page, site, person, { entries: [theirs, mine], photos: {} });
  const favouritesOf = async ({ client }: Person) =>
    (await client.from('favourite_parks').select('park_id')).data;
  await page.goto('/about');
  await expect.poll(() => favouritesOf(person)).toEqual([{ park_id: parkId }]);
  expect(await favouritesOf(other)).toEqual([]);
  await page.evaluate(
    (session) => localStorage.setItem('packpark-session', session),
    JSON.stringify(other.session),
  );
  await page.goto('/about');
  await expect.poll(() => favouritesOf(other)).toEqual([{ park_id: parkId }]);
});
