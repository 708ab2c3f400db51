// Every screen and sheet in three languages and both themes: accessible, within the viewport, and in its own language.
import type { Page } from '@playwright/test';
import { expect, test, type Language, type Site } from './support/test.ts';
import {
  createPopulatedAccount,
  type PopulatedAccount,
  type Wording,
  WORDING,
} from './support/populated-account.ts';
import { LONG_NAMED_PARK } from './support/fixtures.ts';
import { homeMap, NEAREST } from './support/home-driver.ts';
import { createModerator } from './support/moderator.ts';
import { accessFindings, widthFindings, textFindings } from './support/screen-checks.ts';
import { buttonOf, settled, navigator } from './support/navigation.ts';
import { texts } from './support/texts.ts';
import { words } from '../testing/seeded.ts';

const OPEN = words(`
  / /?lat=32.10012&long=34.80941 /parks /parks?q=xyzzy /parks/12/ /parks/12/reviews
  /parks/12/visitors /parks/new /users /users?q=zaatar /login?mode=login /login?mode=signup
  /login?mode=forgot /email-callback /confirm /update-password /share/parks/12 /tag/abc /dog-invites/0 /meet/0 /about /privacy-policy
  /terms /accessibility /delete-account /user-deleted /no-such-place
`);
const OWN = words(`
  /parks/{park}/ /parks/{park}/reviews /parks/{park}/visitors /parks/new /users?q={name}
  /profile/{me}/dogs /profile/{me}/reviews /profile/{me}/friends /profile/{me}/favorites
  /profile/{me}/info /profile/{me}/settings /profile/{me}/dogs/{dog} /profile/{friend}/dogs
  /profile/{friend}/reviews /profile/{friend}/info /profile/{stranger}/dogs /notifications
  /meetings /profile/{me}/diary /dog-invites/0 /meet/0 /?lat=32.08021&long=34.89013
`);

/** An administrator's screens. */
const DESK = ['', '/decisions', '/users', '/team', '/imports', '/site'].map(
  (view) => `/desk${view}`,
);

/** Sheets by the path of their screen and the message keys of the buttons that open them, in order. */
const SHEETS: [path: string, ...buttons: string[]][] = [
  ['/parks', 'parks.list.filters'],
  ['/parks/{park}/', 'parks.about.suggest|parks.about.addMissing'],
  ['/parks/{park}/', 'liveReports.report'],
  ['/parks/13/', 'directions.button'],
  ['/parks/13/', 'css=main button:has(.lucide-cloud-sun)'],
  ['/parks/{park}/reviews', 'reviews.form.editTitle'],
  ['/parks/{park}/visitors', 'ui.inviteFriends'],
  ['/parks/13/', 'ui.onMyWay'],
  ['/parks/13/', 'checkIns.button'],
  ['/profile/{me}/dogs', 'dogs.list.add'],
  ['/profile/{me}/dogs', 'css=main button:has(.lucide-qr-code)'],
  ['/profile/{me}/dogs/{dog}', 'ui.edit'],
  ['/profile/{me}/dogs/{dog}', 'dogs.page.delete'],
  ['/profile/{me}/dogs/{dog}', 'ui.photo.add'],
  ['/profile/{me}/dogs/{dog}', 'lostDogs.isLost'],
  ['/profile/{me}/dogs/{dog}', 'lostDogs.tag'],
  ['/profile/{me}/dogs/{dog}', 'dogCarers.title'],
  ['/profile/{me}/settings', 'ui.deleteAccount'],
  ['/notifications', 'notifications.settings.title'],
  ['/about', 'shell.navbar.more'],
  ['/about', 'shell.navbar.more', 'css=dialog button:has([lang])'],
  ['/parks/1/reviews', 'reviews.card.actions'],
];

test.use({ allowedErrors: [/404|notFound/] });

/** The longest allowed name, in three scripts and with characters of several code points. */
const NAME = `אַבְרָם Maximiliane-${'W'.repeat(24)} 👩🏽‍🦱🐕‍🦺 محمّد`;
const TOO_LONG: Wording = {
  name: NAME.padEnd(80, 'ש').slice(0, 80),
  title: `Freilaufhundewiesenallee ${'W'.repeat(65)} 🐕‍🦺 كلب (שלום)`,
  text: `${'ש'.repeat(200)} (hello) مرحبا ${'🐶'.repeat(40)} https://example.test/${'x'.repeat(60)}`,
};

/**
 * Several per language, so they run in parallel and none takes minutes on a busy machine. The longest tests start first, because
 * files run in the order of their paths.
 */
const GROUPS = {
  sheet: { paths: [], sheets: SHEETS, loggedIn: true },
  'screen of a visitor': { paths: OPEN, sheets: [], loggedIn: false },
  'screen of somebody logged in': { paths: OWN, sheets: [], loggedIn: true },
};

/** Realistic content in Arabic, overlong content in the other languages. */
async function createAccount(site: Site, language: Language): Promise<PopulatedAccount> {
  const { title, text } = TOO_LONG;
  await site.sql`update public.park_translations set name = ${title.slice(0, 120)}, city = ${title.slice(0, 120)},
    address = ${text.slice(0, 200)} where park_id = ${LONG_NAMED_PARK}`;
  if (language === 'ar') return createPopulatedAccount(site, language);
  const account = await createPopulatedAccount(site, language, TOO_LONG, LONG_NAMED_PARK);
  await site.sql`insert into public.notifications (type, sender_id, receiver_id, title, app_message, push_message, is_ready, seen_at, read_at, created_at)
     select 'friendApproval', ${account.friend.id}, ${account.me.id}, 'T', ${text}, 'P', true, now(), case when n % 3 = 0 then now() end,
       now() - n * interval '1 hour' from generate_series(1, 50) n`;
  return account;
}

/** Creates the content, and a check of the open screen that collects its findings. */
async function prepare(site: Site, language: Language) {
  const account = await createAccount(site, language);
  const proper = await namesOf(site);
  const findings: string[] = [];
  const check = async (page: Page, where: string) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const found = [
      ...(await accessFindings(page, language)),
      ...(await widthFindings(page)),
      ...(await textFindings(page, language, proper)),
    ];
    found.push(...(await layoutFindings(page, language)));
    findings.push(...found.map((each) => `${where} ${each}`));
  };
  return { account, check, findings };
}

for (const language of ['he', 'ar', 'en'] satisfies Language[]) {
  for (const [whose, { loggedIn, ...group }] of Object.entries(GROUPS))
    test(`every ${whose} passes all checks in ${language}`, async ({ site, pageFor }) => {
      const { account, check, findings } = await prepare(site, language);
      const page = await pageFor(loggedIn ? account.me : undefined, { language });
      await visitAll(page, account, language, group, check);
      expect(findings).toEqual([]);
    });
  if (language === 'en') continue;
  test(`every screen of the desk passes all checks in ${language}`, async ({ site, pageFor }) => {
    const { account, check, findings } = await prepare(site, language);
    const { name, text } = WORDING[language];
    const moderator = await createModerator(site, name, 'administrator');
    const page = await pageFor(moderator, { language });
    await visitAll(page, account, language, { paths: DESK, sheets: [] }, check);
    await site.sql`select public.desk_set_role(${moderator.id}, 'town', ${name}, '{13}')`;
    await moderator.client.rpc('town_post_notice', {
      p_park_id: 13,
      p_type: 'event',
      p_text: text,
      p_starts_at: new Date(Date.now() + 86_400_000).toISOString(),
      p_ends_at: new Date(Date.now() + 90_000_000).toISOString(),
    });
    const town = await pageFor(moderator, { language });
    const ofTown = { paths: ['/desk', '/parks/13/'], sheets: [] };
    await visitAll(town, account, language, ofTown, check);
    expect(findings).toEqual([]);
  });
}

/** Each width in some languages only, because the layout does not depend on the language. */
const WIDTHS: Record<Language, number[]> = { he: [360, 820], ar: [320, 820], en: [360] };

/** Checks narrow, wide and enlarged layouts. */
async function layoutFindings(page: Page, language: Language): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS[language]) {
    await page.setViewportSize({ width, height: width < 720 ? 700 : 1180 });
    found.push(...(await widthFindings(page)).map((each) => `${width}: ${each}`));
  }
  if (language !== 'he') return found;
  const setText = (size: string) =>
    page.evaluate((value) => void (document.documentElement.style.fontSize = value), size);
  await page.setViewportSize({ width: 390, height: 844 });
  await setText('200%');
  found.push(...(await widthFindings(page)).map((each) => `200 %: ${each}`));
  await setText('');
  return found;
}

interface Group {
  paths: readonly string[];
  sheets: typeof SHEETS;
}

/** Opens each screen and each sheet, and checks it. */
async function visitAll(
  page: Page,
  account: PopulatedAccount,
  language: Language,
  { paths, sheets }: Group,
  check: (page: Page, where: string) => Promise<void>,
): Promise<void> {
  const t = texts(language);
  const fill = (path: string) =>
    path
      .replace('{me}', account.me.id)
      .replace('{friend}', account.friend.id)
      .replace('{stranger}', account.stranger.id)
      .replace('{dog}', account.dogId)
      .replace('{name}', encodeURIComponent(account.me.name))
      .replace('{park}', String(account.parkId));
  const goTo = await navigator(page);
  for (const path of paths) {
    await goTo(fill(path));
    // A URL with coordinates opens the map there. Selects the park at its centre, so that the park's card is checked too.
    if (path.includes('lat=')) {
      await homeMap(page).choose(
        path.includes('32.1') ? NEAREST[language] : TOO_LONG.title.slice(0, 90),
      );
      await settled(page);
    }
    await check(page, path);
  }
  for (const [path, ...buttons] of sheets) {
    await goTo(fill(path));
    for (const keys of buttons) await buttonOf(page, keys, t).click();
    await expect(page.locator('dialog[open], [role=menu]').last()).toBeVisible();
    await settled(page);
    await check(page, `${path} › ${buttons.join(' › ')}`);
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog[open], [role=menu]')).toHaveCount(0);
  }
}

/** Names of users, dogs and parks, which stay in the script in which they were entered. */
async function namesOf(site: { sql: (text: string) => Promise<{ name: string }[]> }) {
  const rows = await site.sql(
    `select name from public.users union select name from public.dogs
     union select unnest(string_to_array(likes, ', ')) from public.dogs
     union select name from public.park_translations where language = 'en'`,
  );
  return rows.map(({ name }) => name).toSorted((one, other) => other.length - one.length);
}
