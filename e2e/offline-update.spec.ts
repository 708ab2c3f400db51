// A newer version while two tabs are open loses nothing that was typed; and the offer to install comes at the right moment.
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';
import {
  CUT,
  emptyPark,
  expectNothingWaits,
  expectWaiting,
  readyForOffline,
} from './offline-driver.ts';

test.use({ serviceWorkers: 'allow', allowedErrors: [CUT] });

/**
 * A newer worker for the same pages: the browser takes one from another address for one. (Its own look for a changed
 * file cannot be answered by a test.)
 * @returns how its installation ended
 */
function publishNewVersion(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { installing } = await navigator.serviceWorker.register('/sw.js?newer');
    if (!installing) return 'none';
    return new Promise<string>((resolve) => {
      installing.addEventListener('statechange', () => resolve(installing.state));
    });
  });
}

const cachesOf = (page: Page) => page.evaluate(() => caches.keys());

test('an update reloads the tab that asks for it, and another keeps what was typed', async ({
  browserOf,
  stage,
}) => {
  test.setTimeout(180_000);
  const person = await stage.person();
  await person.client.rpc('accept_terms');
  const park = await emptyPark(stage, 0);
  const asking = await browserOf(person);
  await asking.goto('/about');
  await readyForOffline(asking);
  await asking.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const typing = await asking.context().newPage();
  await typing.goto(`/parks/${park.id}/reviews`);
  await typing.getByRole('button', { name: 'Write a review' }).click();
  await typing.getByRole('radio', { name: '4 stars' }).check();
  await typing.getByLabel('What should others know?').fill('Half a thought');

  expect(await publishNewVersion(asking)).toBe('installed');
  await asking.evaluate(() => document.body.setAttribute('data-before', ''));
  await typing.evaluate(() => document.body.setAttribute('data-before', ''));
  // Nothing happens by itself.
  await expect(asking.getByText('A new version is ready')).toBeVisible();
  await asking.getByRole('button', { name: 'Reload' }).click();
  // The old worker first ends what it is at, which takes a while on a busy machine.
  await expect(asking.locator('body[data-before]')).toHaveCount(0, { timeout: 60_000 });
  await expect(asking.getByRole('heading', { level: 1 })).toBeVisible();
  await expect
    .poll(
      () => typing.evaluate(() => navigator.serviceWorker.controller?.scriptURL.endsWith('?newer')),
      { timeout: 60_000 },
    )
    .toBe(true);

  // The other one was not reloaded, still holds the words, and can send them: even over a gap.
  await expect(typing.locator('body[data-before]')).toHaveCount(1);
  await expect(typing.getByLabel('What should others know?')).toHaveValue('Half a thought');
  await typing.context().setOffline(true);
  await typing.getByRole('button', { name: 'Post review' }).click();
  const rules = typing.getByRole('dialog', { name: 'Our park rules' });
  await rules.getByRole('checkbox').check();
  await rules.getByRole('button', { name: 'Agree' }).click();
  await expectWaiting(typing, 2);
  await typing.context().setOffline(false);
  await expectNothingWaits(typing);
  const { data } = await person.client.rpc('my_reviews');
  expect(data).toMatchObject([{ content: 'Half a thought' }]);
});

test('an update that the network cuts short leaves the version that works', async ({
  browserOf,
}) => {
  const page = await browserOf();
  await page.goto('/about');
  await readyForOffline(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const before = await cachesOf(page);
  // The new worker comes, its files do not.
  await page.context().route(/\/config\.json$/, (route) => route.abort());
  expect(await publishNewVersion(page)).toBe('redundant');
  await page.context().setOffline(true);
  await page.goto('/parks');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await cachesOf(page)).toEqual(expect.arrayContaining(before));
});

test('the offer to install comes with the second visit, beside the page, and goes for good', async ({
  browserOf,
}) => {
  const offer = (page: Page) =>
    page.evaluate(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true });
      Object.assign(event, {
        prompt: () => {
          document.title = 'asked';
          return Promise.resolve({ outcome: 'accepted' });
        },
      });
      dispatchEvent(event);
    });
  const go = async (page: Page, name: string) => {
    await page.getByRole('link', { name, exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  };
  const first = await browserOf();
  const hint = (page: Page) => page.getByRole('complementary', { name: 'Install the app' });
  await first.goto('/about');
  await offer(first);
  await go(first, 'Parks');
  await expect(hint(first)).toBeHidden();

  // A new tab has a session of its own: the second visit.
  const second = await first.context().newPage();
  await second.goto('/about');
  await offer(second);
  await expect(hint(second)).toBeHidden();
  await go(second, 'Parks');
  await expect(hint(second)).toBeVisible();
  await expectAccessible(second);
  const [above, page] = [
    await hint(second).boundingBox(),
    await second.locator('#main').boundingBox(),
  ];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((page?.y ?? 0) + 1);
  await second.getByRole('button', { name: 'Do not show this again' }).click();
  await expect(hint(second)).toBeHidden();

  const third = await first.context().newPage();
  await third.goto('/about');
  await offer(third);
  await go(third, 'Parks');
  await expect(hint(third)).toBeHidden();
});
