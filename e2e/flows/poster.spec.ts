// A park's poster: its QR code, decoded, and what happens after the scan. Also the park's card embedded in another site.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { reservePark } from '../support/fixtures.ts';
import { expect, test } from '../support/test.ts';

test('the code links to the page with the check-in', async ({ site, pageFor }, testInfo) => {
  const { id: park } = await reservePark(site);
  const page = await pageFor(await site.user());
  let scanned = '';
  for (const language of ['en', 'he', 'ar']) {
    await page.goto(`${site.url}/poster/park/${park}?lang=${language}`);
    await page.setViewportSize({ width: 794, height: 1123 });
    const { data, info } = await sharp(
      await page.screenshot({ path: testInfo.outputPath(`poster-${language}.png`) }),
    )
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    scanned = jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data ?? '';
    expect(scanned).toBe(`${site.url}/parks/${park}/`);
    // No line has only one word.
    const lines = await page
      .locator('main p')
      .nth(2)
      .evaluate((promise) => {
        const range = document.createRange();
        range.selectNodeContents(promise);
        return Array.from(range.getClientRects(), ({ width }) => width);
      });
    expect(Math.min(...lines)).toBeGreaterThan(Math.max(...lines) / 2);
  }
  // The button prints, and is not printed.
  await page.evaluate(
    () => (globalThis.print = () => document.body.setAttribute('data-printed', '')),
  );
  const print = page.getByRole('button', { name: 'طباعة' });
  await print.click();
  await expect(page.locator('body[data-printed]')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(print).toBeHidden();
  await page.emulateMedia({ media: null });
  // On a phone the poster is readable before printing.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('heading')).toBeInViewport({ ratio: 1 });
  // A URL only opens the page and never triggers an action.
  for (const address of [scanned, `${scanned}?resume=check-in`]) {
    await page.goto(address);
    await expect(page.getByRole('button', { name: 'Check in here' })).toBeVisible();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('another site can embed the card if it allows the frame', async ({ site, browser }) => {
  const { id: park, name } = await reservePark(site);
  const navigator = await site.user();
  await navigator.client.rpc('check_in', { p_park_id: park, p_dog_count: 2 });
  const foreign = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; frame-src ${site.url}`,
    });
    response.end(
      `<!doctype html><title>City</title><h1>The city’s parks</h1><iframe src="${site.url}/embed/park/${park}?lang=en" title="Dogs at the park now" width="320" height="190"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  const { port } = foreign.address() as AddressInfo;
  // A different host name, so the browser treats it as another site.
  const address = `http://localhost:${port}/`;
  expect(new URL(site.url).hostname).not.toBe('localhost');
  const context = await browser.newContext({ javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(address);
    const card = page.frameLocator('iframe');
    await expect(card.getByText('2 dogs now')).toBeVisible();
    await expect(card.getByText(name)).toBeVisible();
    await expect(card.getByRole('link', { name: 'Open in Packpark' })).toHaveAttribute(
      'href',
      `${site.url}/parks/${park}/`,
    );
    expect(await context.cookies()).toEqual([]);
  } finally {
    await context.close();
    await new Promise((resolve) => foreign.close(resolve));
  }
});
