// Screenshots of the site's own map: three languages, two themes, two widths.
import type { Page } from '@playwright/test';
import { openHome } from '../support/home-driver.ts';
import { TEST_MAP } from '../support/test-map.ts';
import { expect, test, type Language } from '../support/test.ts';
import { texts } from '../support/texts.ts';
import { THEMES } from '../../shared/enums.ts';
import { saveScreenshot, SIZES } from './save-screenshot.ts';

test.use({
  hostSettings: { MAP_FILE: TEST_MAP },
  allowedErrors: [/Failed to load resource|net::/],
});

/** Waits until the worker has drawn all requested tiles. */
async function drawn(page: Page): Promise<void> {
  await expect
    .poll(() => page.locator('.map-drawn canvas.leaflet-tile-loaded').count())
    .toBeGreaterThan(6);
  await page.waitForLoadState('networkidle');
}

for (const language of ['he', 'ar', 'en'] as Language[])
  for (const theme of THEMES)
    test(`the own map in ${language}, ${theme}`, async ({ pageFor }) => {
      for (const size of SIZES) {
        const page = await pageFor(undefined, { language, theme });
        await page.setViewportSize(size);
        await openHome(page);
        await drawn(page);
        const variant = `${language}-${theme}-${size.name}`;
        await saveScreenshot(page, 'own-map', variant);
        const t = texts(language);
        await page.getByRole('button', { name: t('shell.navbar.more') }).click();
        await page.getByRole('link', { name: t('offlineMap.button') }).click();
        await expect(page.getByRole('dialog').getByRole('button')).not.toHaveCount(0);
        await page.waitForLoadState('networkidle');
        await saveScreenshot(page, 'keep-map', variant);
        await page.close();
      }
    });
