// A town in another country, configured by settings only: its parks, clock, week, season, languages, age limit and law.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Browser, Page, TestInfo } from '@playwright/test';
import { ROOT } from '#/host/lib/paths.ts';
import { acceptTerms } from '../support/fixtures.ts';
import { expect, startSite, test, watchConsole, type Site } from '../support/test.ts';
import { navigateTo } from '../support/navigation.ts';

/** Runs `visit` at a fixed time on a new site, whose only park is imported with the operators' command. */
async function runTown(
  { browser, info }: { browser: Browser; info: TestInfo },
  settings: Record<string, string> & { TIME_ZONE: string },
  park: { city: string; at: readonly [long: number, lat: number]; hours: string },
  { at, locale }: { at: string; locale: string },
  visit: (page: Page, site: Site) => Promise<void>,
): Promise<void> {
  const site = await startSite(info.parallelIndex, {
    DEMO: 'false',
    START_PLACE: park.at.toReversed().join(),
    ...settings,
  });
  const context = await browser.newContext({ baseURL: site.url, locale });
  const errors: string[] = [];
  try {
    const file = info.outputPath('parks.geojson');
    const feature = {
      type: 'Feature',
      properties: { leisure: 'dog_park', name: 'New Park', opening_hours: park.hours },
      geometry: { type: 'Point', coordinates: park.at },
    };
    writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
    const command = ['server/bin/packpark.mjs', 'import-parks', file, '--city', park.city];
    execFileSync(process.execPath, [...command, '--source', 'Town', '--licence', 'CC BY 4.0'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        PACKPARK_SETTINGS: '/dev/null',
        DATABASE_URL: site.connectionString,
        DATA_DIR: site.dataDir,
        START_PLACE: park.at.toReversed().join(),
      },
    });
    // Waits for the list, because the browser caches an earlier one for a minute.
    const list = `${site.url}/storage/v1/object/public/parks/parks-en.json`;
    await expect.poll(async () => (await fetch(list)).text()).toContain('New Park');
    const page = await context.newPage();
    watchConsole(page, errors);
    await page.clock.setFixedTime(at);
    site.external.weather = {
      ...{ temperature: 39, rain: 0, code: 0, sun: 1000 },
      ...{ zone: settings.TIME_ZONE, at: new Date(at) },
    };
    await page.goto('/');
    await expect(page.getByText('New Park').first()).toBeVisible();
    await visit(page, site);
    expect(errors).toEqual([]);
  } finally {
    await context.close();
    await site.close();
  }
}

test('Salzburg: weeks start on Monday, daylight saving ends, the age limit is 14, and Austrian law applies', async ({
  browser,
}, info) => {
  const own = { title: 'Our terms', lead: 'As in Austria.', updated: '2026-12-01', sections: [] };
  const texts = info.outputPath('texts.json');
  writeFileSync(
    texts,
    JSON.stringify({ terms: { en: own, he: own }, privacy: { en: own, he: own } }),
  );
  await runTown(
    { browser, info },
    {
      TIME_ZONE: 'Europe/Vienna',
      WEEKEND: 'saturday,sunday',
      FIRST_DAY: 'monday',
      ADDRESS_COUNTRY: 'at',
      LANGUAGES: 'en,he',
      MINIMUM_AGE: '14',
      SITE_TEXTS: texts,
      OPERATOR: 'Dogs of Salzburg, Hofgasse 1, 5020 Salzburg',
      ACCESSIBILITY_EMAIL: 'access@salzburg.example',
      PRIVACY_EMAIL: 'data@salzburg.example',
      EMERGENCY_PHONES: 'poison=01-4064343,police=133',
    },
    { city: 'Salzburg', at: [13.06, 47.8], hours: 'Mo-Fr 07:00-20:00; Sa,Su 08:00-18:00' },
    // It is 7:30 on the Sunday when daylight saving time ends. The site does not offer Arabic, the browser's language.
    { at: '2026-10-25T06:30:00Z', locale: 'ar-AE' },
    async (page, site) => {
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Language' }).click();
      const languages = page.getByRole('dialog', { name: 'Language' }).getByRole('listitem');
      await expect(languages).toHaveText(['English', 'עברית']);
      await page.goto('/parks/1');
      await expect(page.getByText('Closed, opens at 08:00').first()).toBeVisible();
      await navigateTo(page, '/login?mode=signup');
      await expect(page.getByRole('checkbox', { name: 'I am 14 or older' })).toBeVisible();
      await navigateTo(page, '/about');
      const imprint = page.getByRole('region', { name: 'Who runs this site' });
      await expect(imprint).toContainText('Hofgasse 1, 5020 Salzburg');
      await navigateTo(page, '/accessibility');
      await expect(page.getByRole('link', { name: 'access@salzburg.example' })).toBeVisible();
      await navigateTo(page, '/delete-account');
      await expect(page.getByRole('link', { name: 'data@salzburg.example' })).toBeVisible();
      for (const place of ['/terms', '/privacy-policy']) {
        await navigateTo(page, place);
        await expect(page.getByText('As in Austria.')).toBeVisible();
      }
      const user = await site.user();
      await acceptTerms(user);
      await user.client.rpc('report_hazard', { p_park_id: 1, p_hazard: 'poison' });
      const { session } = user;
      await page.evaluate(
        (text) => localStorage.setItem('packpark-session', text),
        JSON.stringify(session),
      );
      await page.goto('/parks/1');
      await expect(page.getByRole('link', { name: '01-4064343' })).toHaveAttribute(
        'href',
        'tel:01-4064343',
      );
      await expect(page.locator('[href^="tel:"]')).toHaveCount(2);
      await navigateTo(page, '/parks/1/visitors');
      await page.getByRole('button', { name: 'Start a weekly meeting' }).click();
      const days = page.getByRole('dialog').getByRole('option');
      await expect(days.first()).toHaveText('Monday');
      await expect(days.last()).toHaveText('Sunday');
    },
  );
});

test('Adelaide: January heat, a 12-hour clock, and a time zone with a half-hour offset', async ({
  browser,
}, info) => {
  await runTown(
    { browser, info },
    {
      TIME_ZONE: 'Australia/Adelaide',
      START_PLACE: '-34.95,138.6',
      WEEKEND: 'saturday,sunday',
      HOUR_CYCLE: '12',
      ADDRESS_COUNTRY: 'au',
      LANGUAGES: 'en',
      // Australia is metric, but the test covers the other value of this setting.
      UNITS: 'imperial',
    },
    { city: 'Adelaide', at: [138.6, -34.92], hours: '07:00-14:30' },
    // 14:45, ten and a half hours ahead of UTC.
    { at: '2027-01-13T04:15:00Z', locale: 'he-IL' },
    async (page) => {
      await expect(page.locator('.leaflet-marker-pane button')).toBeInViewport();
      await page.goto('/parks/1');
      await expect(page.getByText('Closed, opens tomorrow at 7 am').first()).toBeVisible();
      await page.context().grantPermissions(['geolocation']);
      await page.context().setGeolocation({ latitude: -34.95, longitude: 138.6 });
      await page.goto('/parks');
      await expect(page.getByText(/2\.1.mi/).first()).toBeVisible();
      await navigateTo(page, '/parks/1');
      await page.getByRole('button', { name: 'Weather by the hour' }).click();
      const clock = page.getByRole('dialog');
      await expect(clock.getByText('2:45 pm', { exact: true }).first()).toBeVisible();
      await expect(clock.getByText('burns paws').first()).toBeVisible();
    },
  );
});
