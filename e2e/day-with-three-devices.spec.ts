// A day of two users: one with a phone, a laptop and a second tab, whose networks are cut and restored. In the end all show the
// state of the database, and typed text is kept. The seed is in the name; DAY_SEEDS=20 runs more days. It is one of the longest
// tests, so its path is the first.
import type { Page } from '@playwright/test';
import { seeded } from '../testing/seeded.ts';
import { reservePark } from './support/fixtures.ts';
import { CUT, readyForOffline } from './support/offline-driver.ts';
import { expect, test } from './support/test.ts';

test.use({
  serviceWorkers: 'allow',
  allowedErrors: [new RegExp(`${CUT.source}|net::|status of|WebSocket`)],
});

const STEPS = 12;
const SOON = { timeout: 10_000 };

for (let seed = 1; seed <= Number(process.env.DAY_SEEDS ?? 1); seed += 1)
  test(`seed ${seed}`, async ({ site, pageFor }) => {
    const random = seeded(seed);
    const [noa, tom] = [await site.user(), await site.user()];
    const [near, far] = [await reservePark(site), await reservePark(site)];
    // Loading a page stores the session, which the phone's second tab needs.
    const phone = await pageFor(noa, { at: '/about' });
    const [laptop, toms] = [await pageFor(noa), await pageFor(tom)];
    const tab = await laptop.context().newPage();
    const devices = [
      { page: phone, park: near },
      { page: laptop, park: far },
      { page: tab, park: near },
    ];
    const bar = (page: Page) => page.getByRole('region', { name: 'You are here' });
    const heart = (page: Page, what = /favourites$/) => page.getByRole('button', { name: what });
    const enter = (page: Page) => page.getByRole('button', { name: 'Check in here' });
    /** A tab of the phone that shows the other user. */
    const users = await phone.context().newPage();
    const ask = users.getByRole('button', { name: 'Add friend' });
    const withdraw = users.getByRole('button', { name: 'Remove request' });
    await users.goto(`/profile/${tom.id}`);
    await expect(ask).toBeVisible();
    const typed = new Map<Page, string>();
    const title = (page: Page) => page.getByLabel('Title');
    const review = async (page: Page) => {
      await page.getByRole('link', { name: 'Reviews', exact: true }).click();
      await page.getByRole('button', { name: 'Write a review' }).click();
    };
    for (const { page, park } of devices) {
      await page.goto(`/parks/${park.id}/`);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await readyForOffline(page);
      await expect(enter(page)).toBeVisible();
    }
    const joined = toms.waitForEvent('websocket');
    await toms.goto(`/parks/${near.id}/`);
    await joined;
    await expect(enter(toms)).toBeVisible();
    // Any of the pages may notice the end of a visit and then show its prompt, so all of them skip it.
    for (const page of [phone, laptop, tab, users])
      await page.addLocatorHandler(page.getByRole('button', { name: 'Skip' }), (skip) =>
        skip.click(),
      );

    /** Queued commands are sent, and the page shows the state of the database. */
    const expectTrue = ({ page, park }: (typeof devices)[number], { id } = noa) =>
      expect(async () => {
        expect(await page.getByRole('button', { name: /waits? to be sent/ }).count()).toBe(0);
        const [there] = await site.sql<{ park_id: number }>(
          `select park_id::int from public.check_ins where user_id = $1 and ended_at is null`,
          [id],
        );
        const [favourite] = await site.sql(
          'select from public.favourite_parks where user_id = $1 and park_id = $2',
          [id, park.id],
        );
        const name = [near, far].find(({ id }) => id === there?.park_id)?.name;
        expect(await bar(page).allInnerTexts()).toEqual(
          name === undefined ? [] : [expect.stringContaining(name)],
        );
        const what = favourite ? /^Remove from/ : /^Add to/;
        expect(await heart(page, what).count()).toBe(1);
      }).toPass();

    let entered = 0;
    /** Idempotency keys of the sent check-ins, however often they were sent. */
    const keys = new Set<string>();
    for (const line of [phone, laptop])
      line.context().on('request', (request) => {
        if (request.url().endsWith('/rpc/check_in'))
          keys.add((request.postDataJSON() as { p_key: string }).p_key);
      });
    const cut = new Set<Page>();
    const setNetwork = async (page: Page, isOn: boolean) => {
      if (isOn) cut.delete(page);
      else cut.add(page);
      await page.context().setOffline(!isOn);
    };
    for (let step = 0; step < STEPS; step += 1) {
      const device = random.pick(devices);
      const { page, park } = device;
      const line = page === tab ? laptop : page;
      if (random.chance(0.4)) await setNetwork(line, cut.has(line));
      // The next action depends on what the device shows. If it has a network, it must show the state of the database.
      if (!cut.has(line)) await expectTrue(device);
      const [wantsHeart, tomComes] = [random.chance(0.3), random.chance(0.3)];
      const [types, asksTom] = [random.chance(0.2), random.chance(0.2)];
      if (types) {
        await review(page);
        typed.set(page, `Shade ${step}`);
        await title(page).fill(`Shade ${step}`);
        await title(page).press('Escape');
        await page.getByRole('link', { name: 'The park', exact: true }).click();
      }
      const askTom = async () => {
        const [now, next] = (await ask.isVisible()) ? [ask, withdraw] : [withdraw, ask];
        await now.click(SOON);
        await expect(next).toBeVisible(SOON);
      };
      const act = async () => {
        if (wantsHeart) {
          const add = await heart(page, /^Add to favourites/).isVisible();
          await heart(page).click(SOON);
          await expect(heart(page, add ? /^Remove from/ : /^Add to/)).toBeVisible(SOON);
        } else if (await bar(page).isVisible()) {
          await bar(page).getByRole('button', { name: 'Check out' }).click(SOON);
          await expect(bar(page)).toHaveCount(0, SOON);
        } else {
          await enter(page).click(SOON);
          const sheet = page.getByRole('dialog');
          entered += 1;
          await sheet.getByRole('button', { name: 'Check in', exact: true }).click(SOON);
          const change = page
            .getByRole('alertdialog')
            .getByRole('button', { name: 'Switch', exact: true });
          await expect(change.or(bar(page).filter({ hasText: park.name }))).toBeVisible(SOON);
          if (await change.isVisible()) await change.click(SOON);
          await expect(bar(page)).toContainText(park.name, SOON);
        }
      };
      // Another device's change may arrive between looking and tapping; then the user looks again.
      await expect(act).toPass();
      if (asksTom) await expect(askTom).toPass();
      if (tomComes)
        await tom.client.rpc('check_in', {
          p_park_id: random.pick([near, far]).id,
          p_switch: true,
        });
    }
    for (const line of [phone, laptop]) await setNetwork(line, true);

    for (const device of devices) await expectTrue(device);
    await expectTrue({ page: toms, park: near }, tom);
    // Each tap sent at most one command, and each accepted one created one visit.
    expect(keys.size).toBeLessThanOrEqual(entered);
    const visits = await site.sql<{
      id: string;
    }>`select id from public.check_ins where user_id = ${noa.id} order by id`;
    expect(visits).toEqual(
      await site.sql`select (result ->> 'check_in_id')::uuid as id from private.idempotency_keys
         where user_id = ${noa.id} and operation = 'check_in' and result ->> 'status' = 'checked_in' order by id`,
    );
    expect([...keys]).toEqual(expect.arrayContaining(visits.map(({ id }) => id)));
    await expect(async () => {
      const asked = await site.sql`select from private.friendships where requester = ${noa.id}`;
      expect(await withdraw.count()).toBe(asked.length);
    }).toPass();
    for (const [page, text] of typed) {
      await review(page);
      await expect(title(page)).toHaveValue(text);
    }
  });
