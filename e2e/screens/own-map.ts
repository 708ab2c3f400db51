// Pictures of the site's own map, drawn from a file: three languages, two themes, two widths, and the device's own colours.
import type { Page } from '@playwright/test';
import { homeMap } from '../support/home-driver.ts';
import { TEST_MAP } from '../support/test-map.ts';
import { expect, test, type Language, type Theme } from '../support/test.ts';
import { texts } from '../support/texts.ts';
import { keepPicture } from './keep-picture.ts';

const SIZES = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1280, height: 800 },
];
/** Monaco: real streets, whose names are known in one language. */
const MONACO = '/?lat=43.7345&long=7.4205';

test.use({
  hostSettings: { MAP_FILE: TEST_MAP },
  allowedErrors: [/Failed to load resource|net::/],
});

/** Once the worker has drawn all that it was asked for. */
async function drawn(page: Page): Promise<void> {
  await expect
    .poll(() => page.locator('.map-drawn canvas.leaflet-tile-loaded').count())
    .toBeGreaterThan(6);
  await page.waitForLoadState('networkidle');
}

for (const language of ['he', 'ar', 'en'] as Language[])
  for (const theme of ['light', 'dark'] as Theme[])
    test(`the own map in ${language}, ${theme}`, async ({ pageFor }) => {
      for (const size of SIZES) {
        const page = await pageFor(undefined, { language, theme });
        await page.setViewportSize(size);
        const map = homeMap(page);
        await map.open();
        await drawn(page);
        const variant = `${language}-${theme}-${size.name}`;
        await keepPicture(page, 'own-map', variant);
        const t = texts(language);
        await page.getByRole('button', { name: t('offlineMap.button') }).click();
        await expect(page.getByRole('dialog').getByRole('button')).not.toHaveCount(0);
        await page.waitForLoadState('networkidle');
        await keepPicture(page, 'keep-map', variant);
        await page.keyboard.press('Escape');
        await page.goto(MONACO);
        await drawn(page);
        await keepPicture(page, 'own-map-monaco', variant);
        if (size.name === 'phone') {
          await page.goto('/?lat=43.0&long=20.0');
          await expect(page.getByText(t('map.noPictures'))).toBeVisible();
          await page.waitForLoadState('networkidle');
          await keepPicture(page, 'own-map-nothing', variant);
        }
        await page.close();
      }
    });

for (const language of ['he', 'ar', 'en'] as Language[])
  for (const theme of ['light', 'dark'] as Theme[])
    test(`the plain ground in ${language}, ${theme}`, async ({ pageFor, site }) => {
      // As imported parks have them.
      await site.sql`update public.parks set outline = jsonb_build_object('type', 'Polygon', 'coordinates', jsonb_build_array((
           select jsonb_agg(jsonb_build_array(long + x, lat + y)) from (values
             (-0.0008, -0.0003), (-0.0005, 0.0005), (0.0003, 0.0006), (0.0009, 0.0001), (0.0004, -0.0006), (-0.0008, -0.0003)
           ) corner (x, y))))`;
      for (const size of SIZES) {
        const page = await pageFor(undefined, { language, theme });
        await page.context().route(/map\.pmtiles/, (route) => route.abort());
        await page.setViewportSize(size);
        await homeMap(page).open();
        await expect(page.locator('.leaflet-overlay-pane path').first()).toBeAttached();
        await page.waitForLoadState('networkidle');
        await keepPicture(page, 'own-map-ground', `${language}-${theme}-${size.name}`);
        await page.close();
      }
    });

for (const contrast of ['forced', 'more'] as const)
  test(`the own map with ${contrast} colours`, async ({ pageFor }) => {
    const page = await pageFor(undefined, { language: 'he', theme: 'light' });
    await page.emulateMedia(
      contrast === 'forced' ? { forcedColors: 'active' } : { contrast: 'more' },
    );
    await homeMap(page).open();
    await drawn(page);
    await keepPicture(page, 'own-map', `he-${contrast}`);
  });
