// Facts of a park: on its page in three languages, as filters of list and map, opening hours, and hot ground.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ChoiceKey, ParkFactKey } from '../../shared/park-facts.ts';
import { CHOICE_KEYS } from '../../shared/park-facts.ts';
import { addDog, befriend, ownPark, reservePark } from '../support/fixtures.ts';
import { makeItMorning } from '../support/offline-driver.ts';
import { expect, type Language, type Site, test } from '../support/test.ts';
import { texts } from '../support/texts.ts';

/** Cloudy weather, so the verdict depends on the park only. */
const MILD = { temperature: 20, rain: 0, code: 0 };

interface Element {
  tags: Record<string, string>;
  means: Partial<Record<ParkFactKey, string>>;
}
/** Gives a park the state that it has after an import and one user's answer. */
const imported = (site: Site, park: number) =>
  site.sql(
    `update public.parks set source = 'OpenStreetMap', licence = 'ODbL 1.0', source_date = '2026-03-01', size = coalesce(size, 900),
       fact_sources = '{"size": ["community", "2025-04-01"]}',
       outline = jsonb_build_object('type', 'Polygon', 'coordinates', jsonb_build_array(jsonb_build_array(
         jsonb_build_array(long, lat), jsonb_build_array(long + 0.001, lat), jsonb_build_array(long, lat + 0.001), jsonb_build_array(long, lat))))
     where id = $1`,
    [park],
  );

/** From the importer's test data: the first three parks have every fact and every value between them. */
const richest = (
  JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../testing/extracts/dog-parks.json'), 'utf8'),
  ) as { elements: Element[] }
).elements.slice(0, 3);

const setFacts = (site: Site, park: number, facts: object) =>
  site.sql('update public.parks set facts = $2 where id = $1', [park, JSON.stringify(facts)]);

/** Opening hours that hold at any time of day: opening two full hours from now, or open until then. */
function hoursFromNow(openNow: boolean): string {
  const hour = Number(
    new Intl.DateTimeFormat('en', {
      timeZone: 'Asia/Jerusalem',
      hour: 'numeric',
      hourCycle: 'h23',
    }).format(new Date()),
  );
  const clock = (of: number) => `${String((of + 24) % 24).padStart(2, '0')}:00`;
  return openNow
    ? `${clock(hour - 1)}-${clock(hour + 3)}`
    : `${clock(hour + 3)}-${clock(hour + 5)}`;
}

test('each imported fact is on its page, in each language', async ({ pageFor, site }) => {
  const isChoice = (key: string): key is ChoiceKey => CHOICE_KEYS.some((one) => one === key);
  for (const language of ['he', 'ar', 'en'] satisfies Language[]) {
    const t = texts(language);
    const page = await pageFor(undefined, { language });
    for (const { means } of richest) {
      const park = await reservePark(site);
      await setFacts(site, park.id, means);
      await imported(site, park.id);
      await page.goto(`/parks/${park.id}/`);
      const about = page.getByRole('region', { name: t('parks.about.title') });
      await expect(about.getByRole('img', { name: t('parks.about.outline') })).toBeVisible();
      await about.getByText(t('parks.about.sources')).click();
      await expect(
        about.getByRole('listitem').filter({ hasText: t('parks.about.people') }),
      ).toHaveText(new RegExp(`^${t('ui.size')}: .*2025$`));
      const ofSource = about.getByRole('listitem').filter({ hasText: 'OpenStreetMap' });
      await expect(ofSource).toContainText('2026');
      // In Hebrew, a prefix before digits needs a maqaf instead of a hyphen.
      await expect(ofSource).not.toContainText('ו-');
      for (const [key, value] of Object.entries(means)) {
        if (key === 'dog:conditional' || (key === 'opening_hours' && value !== 'by arrangement'))
          continue;
        const cell = about
          .locator('div')
          .filter({
            has: page.getByText(t(`parks.fact.${key.replace(':', '_')}`), { exact: true }),
          })
          .last();
        const words = key === 'dog' && value === 'no' ? 'noDogs' : value;
        await expect(cell).toContainText(
          isChoice(key) ? t(`parks.fact.value.${words}`) : value.replace(/\.0$/, ''),
        );
      }
      const hours = page.getByRole('region', { name: t('parks.fact.opening_hours') });
      if (means['opening_hours'] === '24/7')
        await expect(hours).toContainText(t('parks.hours.always'));
      if (means['dog:conditional']) await expect(hours).toContainText(t('parks.dogRule.unleashed'));
    }
  }
});

test('disputed facts are marked as such, in each language', async ({ pageFor, site }) => {
  const park = await reservePark(site);
  await setFacts(site, park.id, { bench: 'yes' });
  await site.sql(
    `insert into private.fact_answers (park_id, fact, value, trust_level)
     values ($1, 'lit', 'yes', 'regular_there'), ($1, 'lit', 'no', 'regular_there')`,
    [park.id],
  );
  for (const [language, words] of [
    ['he', 'הדעות חלוקות'],
    ['ar', 'الآراء متباينة'],
    ['en', 'People disagree: No, Yes'],
  ] as const) {
    const t = texts(language);
    const page = await pageFor(undefined, { language });
    await page.goto(`/parks/${park.id}/`);
    const about = page.getByRole('region', { name: t('parks.about.title') });
    const cell = (name: string) =>
      about
        .locator('div')
        .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
        .last();
    await expect(cell(t('parks.fact.lit'))).toContainText(words);
    await expect(cell(t('parks.fact.bench'))).not.toContainText(words);
  }
});

test('a closed park shows when it opens and offers to plan a visit', async ({ pageFor, site }) => {
  site.external.weather = MILD;
  const ann = await site.user('Ann');
  await addDog(ann, 'Rex');
  const [closed, open] = [await reservePark(site), await reservePark(site)];
  await setFacts(site, closed.id, { opening_hours: hoursFromNow(false) });
  await setFacts(site, open.id, { opening_hours: hoursFromNow(true) });
  const page = await pageFor(ann);
  await page.context().setGeolocation({ latitude: 31.25, longitude: 34.79 });
  await page.goto(`/parks/${closed.id}/`);
  await expect(page.getByText(/^Closed, opens (tomorrow )?at \d\d:00$/).first()).toBeVisible();
  await expect(page.getByText(/Good (time|until)/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Check in here' }).click();
  const sheet = page.getByRole('dialog');
  await expect(sheet.getByText(/^Closed, opens .*Check in anyway\?$/)).toBeVisible();
  // The user is far away, so the check-in only plans a visit, and the app shows that.
  await sheet.getByRole('button', { name: 'Check in', exact: true }).click();
  await expect(page.getByRole('region', { name: 'On my way' })).toContainText('You plan to come');
  await page.reload();
  await page.getByRole('button', { name: 'Check in here' }).click();
  await expect(sheet.getByText(/^Closed, opens .*Check in anyway\?$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.goto(`/parks/${open.id}/`);
  await expect(page.getByText(/^Open, closes at \d\d:00$/)).toBeVisible();
  // Invites to a meeting at a time when the park is closed show the same question.
  const friend = await site.user('Fenna');
  await befriend(ann, friend);
  const asks = page.getByText('The park is closed at that time. Invite anyway?');
  await page.getByRole('link', { name: 'Visitors' }).click();
  await page.getByRole('button', { name: 'Invite friends' }).click();
  await expect(page.getByRole('checkbox', { name: 'Fenna' })).toBeVisible();
  await expect(asks).toBeHidden();
  await page.getByText('Another time').click();
  await page.getByLabel('Date and time').fill('');
  await expect(asks).toBeHidden();
  await page.goto(`/parks/${closed.id}/visitors`);
  await page.getByRole('button', { name: 'Invite friends' }).click();
  await expect(asks).toBeVisible();
});

test("a park's clock shows the temperature of its ground and of the way there, and the hand test", async ({
  page,
  site,
}) => {
  site.external.weather = { ...MILD, temperature: 31, sun: 900 };
  // Far from all other parks, so no forecast is cached.
  const park = await ownPark(site, 'Desert Rest');
  await site.sql(
    `update public.parks set lat = 30.1, long = 35.1, materials = '{GRASS,SAND}', shade = 0 where id = $1`,
    [park],
  );
  await makeItMorning(page);
  await page.goto(`/parks/${park}/`);
  await page.getByRole('button', { name: /^Weather by the hour.+31°/ }).click();
  const sheet = page.getByRole('dialog');
  const clock = sheet.getByRole('slider', { name: 'Hour' });
  await expect(clock).toHaveAttribute(
    'aria-valuetext',
    /^10:00, .31° · .0% rain, Ground: about 37° · fine, Asphalt: about 59° · burns paws/,
  );
  // The sun shines day and night here.
  await expect(sheet).toContainText('Asphalt burns all day. Mind the paws');
  await expect(sheet).toContainText('seven seconds');
  for (let hours = 0; hours < 12; hours++) await clock.press('ArrowRight');
  await expect(clock).toHaveAttribute('aria-valuetext', /^22:00.*Lights: Unknown/);
  await site.sql`delete from public.parks where id = ${park}`;
});
