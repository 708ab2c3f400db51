// The app is installable, and offers it at the right time.
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../../testing/chromium.ts';
import { expectAccessible } from '../support/accessible.ts';
import { openHome } from '../support/home-driver.ts';
import { expect, saveData, test, watchConsole } from '../support/test.ts';
import { settled } from '../support/navigation.ts';

test('is installable', async ({ site }) => {
  // With full Chromium, because the headless shell reports no installability errors.
  await using browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: CHROMIUM_ARGUMENTS,
  });
  const page = await browser.newPage({ baseURL: site.url, serviceWorkers: 'allow' });
  const errors: string[] = [];
  watchConsole(page, errors);
  await page.addInitScript(saveData);
  await openHome(page);
  const manifest = await (await fetch(`${site.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ id: '/', name: 'Packpark', display: 'standalone' });
  expect(manifest.shortcuts.length).toBeGreaterThan(0);
  const icons = manifest.icons as { src: string; sizes: string; type: string; purpose: string }[];
  for (const { src, sizes, type } of icons) {
    const answer = await fetch(site.url + src);
    expect(answer.status, src).toBe(200);
    expect(answer.headers.get('content-type'), src).toContain(type);
    if (sizes === 'any') continue;
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect(`${width}x${height}`, src).toBe(sizes);
  }
  expect(icons.some(({ purpose, sizes }) => purpose === 'maskable' && sizes === '512x512')).toBe(
    true,
  );
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Playwright's contexts are incognito windows, which must be the only error.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  const worker = await fetch(`${site.url}/sw.js`);
  expect(worker.headers.get('cache-control')).toBe('no-cache');
  expect(errors).toEqual([]);
});

test('the install offer appears at the second visit and can be dismissed for good', async ({
  pageFor,
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
  const goToParks = async (page: Page) => {
    await page.getByRole('link', { name: 'Parks', exact: true }).first().click();
    await expect(page).toHaveURL('/parks');
    // The offer would have appeared by now.
    await settled(page);
  };
  const first = await pageFor();
  const hint = (page: Page) => page.getByRole('complementary', { name: 'Install the app' });
  await first.goto('/about');
  await offer(first);
  await goToParks(first);
  await expect(hint(first)).toBeHidden();

  // A new tab has its own session: the second visit.
  const second = await first.context().newPage();
  await second.goto('/about');
  await offer(second);
  await expect(hint(second)).toBeHidden();
  await goToParks(second);
  await expect(hint(second)).toBeVisible();
  await expectAccessible(second);
  const [above, page] = [
    await hint(second).boundingBox(),
    await second.locator('#main').boundingBox(),
  ];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((page?.y ?? 0) + 1);
  await second.getByRole('button', { name: "Don't show again" }).click();
  await expect(hint(second)).toBeHidden();

  const third = await first.context().newPage();
  await third.goto('/about');
  await offer(third);
  await goToParks(third);
  await expect(hint(third)).toBeHidden();
});
