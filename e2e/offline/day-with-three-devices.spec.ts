// A day of two people: one with a phone, a laptop and a second tab, whose networks are cut and come back. At its end all of them
// show what the database has. The seed is in the name; DAY_SEEDS=20 plays more days.
import type { Page } from '@playwright/test';
import { seeded } from '../../testing/seeded.ts';
import { reservePark } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';

test.use({ allowedErrors: [/net::|status of|WebSocket/] });

const STEPS = 12;

for (let seed = 1; seed <= Number(process.env.DAY_SEEDS ?? 1); seed++)
  test(`seed ${String(seed)}`, async ({ site, pageFor }) => {
    test.setTimeout(300_000);
    const random = seeded(seed);
    const [noa, tom] = [await site.person(), await site.person()];
    const [near, far] = [await reservePark(site), await reservePark(site)];
    const [phone, laptop] = [await pageFor(noa), await pageFor(noa)];
    const tab = await laptop.context().newPage();
    const devices = [
      { page: phone, park: near },
      { page: laptop, park: far },
      { page: tab, park: near },
    ];
    const bar = (page: Page) => page.getByRole('region', { name: 'You are here' });
    const heart = (page: Page) => page.getByRole('button', { name: /favourites$/ });
    for (const { page, park } of devices) {
      await page.goto(`/parks/${String(park.id)}/`);
      await expect(page.getByRole('button', { name: 'Check in here' })).toBeVisible();
      // The question about stars comes to whichever device saw the end.
      await page.addLocatorHandler(page.getByRole('button', { name: 'Skip' }), (skip) =>
        skip.click(),
      );
    }

    const cut = new Set<Page>();
    const setNetwork = async (page: Page, isOn: boolean) => {
      if (isOn) cut.delete(page);
      else cut.add(page);
      await page.context().setOffline(!isOn);
    };
    for (let step = 0; step < STEPS; step++) {
      const { page, park } = random.pick(devices);
      const line = page === tab ? laptop : page;
      if (random.chance(0.4)) await setNetwork(line, cut.has(line));
      const enter = page.getByRole('button', { name: 'Check in here' });
      if (random.chance(0.3)) {
        const before = await heart(page).getAttribute('aria-pressed');
        await heart(page).click();
        await expect(heart(page)).toHaveAttribute('aria-pressed', String(before !== 'true'));
      } else if (
        (await bar(page).isVisible()) &&
        ((await enter.isHidden()) || random.chance(0.5))
      ) {
        await page.getByRole('button', { name: 'Check out' }).click();
        await expect(bar(page)).toHaveCount(0);
      } else {
        await enter.click();
        const sheet = page.getByRole('dialog');
        await sheet.getByRole('button', { name: 'Check in', exact: true }).click();
        const change = sheet.getByRole('button', { name: 'Switch', exact: true });
        await expect(change.or(bar(page).filter({ hasText: park.name }))).toBeVisible();
        if (await change.isVisible()) await change.click();
        await expect(bar(page)).toContainText(park.name);
      }
      if (random.chance(0.3))
        await tom.client.rpc('check_in', {
          p_park_id: random.pick([near, far]).id,
          p_switch: true,
        });
    }
    for (const line of [phone, laptop]) await setNetwork(line, true);

    for (const { page, park } of devices) {
      await expect(page.getByText(/waits? to be sent/)).toHaveCount(0);
      await expect(async () => {
        const [there] = await site.sql<{ park_id: number }>(
          `select park_id::int from public.check_ins where user_id = $1 and ended_at is null`,
          [noa.id],
        );
        const favourites = await site.sql<{ park_id: number }>(
          'select park_id::int from public.favourite_parks where user_id = $1',
          [noa.id],
        );
        const name = [near, far].find(({ id }) => id === there?.park_id)?.name;
        expect(await bar(page).allInnerTexts()).toEqual(
          name === undefined ? [] : [expect.stringContaining(name)],
        );
        expect(await heart(page).getAttribute('aria-pressed')).toBe(
          String(favourites.some(({ park_id }) => park_id === park.id)),
        );
        const { data } = await tom.client.rpc('park_status', { p_park_id: park.id });
        const { dogs_now: dogs } = data as { dogs_now: number };
        if (dogs > 0)
          expect(
            await page.getByText(new RegExp(`^${String(dogs)} dogs? now$`)).count(),
          ).toBeGreaterThan(0);
      }).toPass({ timeout: 60_000 });
    }
  });
