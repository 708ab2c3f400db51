// Drives the home map, in the three languages.
import { expect, type Locator, type Page } from '@playwright/test';
import type { Language } from './test.ts';

/** The demo's park nearest to the default location, by its name in each language. */
export const NEAREST: Record<Language, string> = {
  en: 'Eucalyptus Bend',
  he: 'עיקול האקליפטוס',
  ar: 'منعطف الكينا',
};

interface HomeMap {
  /** Opens `/` (or another URL of the map) and waits for the first markers. */
  open(path?: string): Promise<void>;
  canvas: Locator;
  marker(name: string): Locator;
  /** Clicks the marker, and retries if the map has moved under the pointer. */
  choose(name: string): Promise<void>;
  markers: Locator;
  selected: Locator;
  popup(name: string): Locator;
  search: Locator;
}

const markerOf = (page: Page, name: string): Locator =>
  page.locator('.leaflet-marker-pane button[aria-pressed]').and(page.getByRole('button', { name }));

export const homeMap = (page: Page): HomeMap => ({
  async open(path = '/') {
    await page.goto(path);
    await page.waitForFunction(() => performance.getEntriesByName('map-ready').length > 0);
  },
  canvas: page.locator('.leaflet-container'),
  marker: (name) => markerOf(page, name),
  async choose(name) {
    const chosen = markerOf(page, name).and(page.locator('[aria-pressed=true]'));
    await expect(async () => {
      if ((await chosen.count()) === 0) await markerOf(page, name).click();
      await expect(chosen).toBeVisible({ timeout: 2000 });
    }).toPass();
  },
  selected: page.locator('.leaflet-marker-pane button[aria-pressed=true]'),
  markers: page.locator('.leaflet-marker-pane button[aria-pressed]'),
  popup: (name) => page.getByRole('region', { name, exact: true }),
  search: page.getByRole('search').getByRole('combobox'),
});

/** Opens the home map in this page. */
export async function openHome(page: Page): Promise<HomeMap> {
  const map = homeMap(page);
  await map.open();
  return map;
}

/** Returns true if nothing covers the centre of the element. */
export const isOnTop = (shown: Locator): Promise<boolean> =>
  shown.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
