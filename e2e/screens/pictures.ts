// Takes screenshots of every screen and sheet, as WebP in screens/, which git ignores: three languages, two themes, a phone and a
// desktop.
import type { Page } from '@playwright/test';
import { befriend, checkOut, inviteTo, standAt } from '../support/fixtures.ts';
import { createModerator, submitParks } from '../support/moderator.ts';
import { expect, type Language, type TestUser, type Site, test } from '../support/test.ts';
import { buttonOf, load, settled, navigator } from '../support/navigation.ts';
import { texts } from '../support/texts.ts';
import { THEMES } from '../../shared/enums.ts';
import { saveScreenshot, SIZES } from './save-screenshot.ts';

// Without this setting, the info pages would show this machine's name.
test.use({ hostSettings: { CONTACT_EMAIL: 'hello@packpark.example' } });

/** A pending park. */
const SUBMITTED = {
  en: ['Puppy Corner', 'Haifa', '2 HaYam St'],
  he: ['פינת הגורים', 'חיפה', 'הים 2'],
  ar: ['ركن الجراء', 'حيفا', 'شارع البحر 2'],
};

/** A demo user for each language, a friend, and a park where both may be. */
const USERS = { en: { me: 1, friend: 4 }, he: { me: 2, friend: 5 }, ar: { me: 3, friend: 6 } };

interface Screen {
  name: string;
  /** `{me}`, `{friend}` and `{dog}` are replaced with IDs, `{tokens}` with those of a link that logs `me` in. */
  path: string;
  /** Opened by a full page load instead of navigation. */
  byLink?: boolean;
  /** The user whose view is shown; by default an anonymous visitor. */
  by?: 'me' | 'moderator';
  /** Message keys of the buttons that open a sheet, in order. */
  open?: string[];
  /** Selector of the element that opens; by default a sheet or a menu. */
  opened?: string;
  /** Selector of an element that appears after everything else that the screenshot waits for. */
  comes?: string;
}

const SCREENS: Screen[] = [
  { name: 'home', path: '/', comes: '[data-park]' },
  {
    name: 'home-park',
    path: '/',
    open: ['css=.leaflet-marker-pane button[aria-pressed]'],
    opened: 'section h2',
  },
  { name: 'parks', path: '/parks' },
  { name: 'park', path: '/parks/3/' },
  { name: 'park-reviews', path: '/parks/3/reviews' },
  { name: 'login', path: '/login?mode=login' },
  { name: 'signup', path: '/login?mode=signup' },
  { name: 'share', path: '/share/parks/3' },
  { name: 'about', path: '/about' },
  { name: 'privacy-policy', path: '/privacy-policy' },
  { name: 'terms', path: '/terms' },
  { name: 'accessibility', path: '/accessibility' },
  { name: 'delete-account', path: '/delete-account' },
  { name: 'update-password', path: '/update-password' },
  { name: 'user-deleted', path: '/user-deleted' },
  { name: 'not-found', path: '/no-such-place' },
  { name: 'menu', path: '/about', open: ['shell.navbar.more'] },
  {
    name: 'languages',
    path: '/about',
    open: ['shell.navbar.more', 'css=dialog button:has([lang])'],
  },
  { name: 'park-filters', path: '/parks', open: ['parks.list.filters'] },
  { name: 'directions', path: '/parks/3/', open: ['directions.button'] },
  { name: 'offered-account', path: '/update-password#{tokens}', byLink: true },
  { name: 'park-visitors', path: '/parks/3/visitors', by: 'me' },
  { name: 'park-new', path: '/parks/new', by: 'me' },
  { name: 'users', path: '/users?q=ma', by: 'me' },
  { name: 'profile-dogs', path: '/profile/{me}/dogs', by: 'me' },
  { name: 'profile-reviews', path: '/profile/{me}/reviews', by: 'me' },
  { name: 'profile-friends', path: '/profile/{me}/friends', by: 'me' },
  { name: 'profile-favorites', path: '/profile/{me}/favorites', by: 'me' },
  { name: 'profile-info', path: '/profile/{me}/info', by: 'me' },
  { name: 'profile-settings', path: '/profile/{me}/settings', by: 'me' },
  {
    name: 'second-factor',
    path: '/profile/{me}/settings',
    by: 'me',
    open: ['css=:nth-match(summary, 6)', 'ui.turnOn'],
  },
  { name: 'profile-of-friend', path: '/profile/{friend}/dogs', by: 'me' },
  { name: 'dog', path: '/profile/{me}/dogs/{dog}', by: 'me' },
  { name: 'diary', path: '/profile/{me}/diary', by: 'me' },
  { name: 'notifications', path: '/notifications', by: 'me' },
  { name: 'meetings', path: '/meetings', by: 'me' },
  { name: 'check-in', path: '/parks/12/', by: 'me', open: ['checkIns.button'] },
  { name: 'report', path: '/parks/3/', by: 'me', open: ['liveReports.report'] },
  { name: 'good-time', path: '/parks/3/', by: 'me', open: ['favourites.goodTime.title'] },
  { name: 'review', path: '/parks/12/reviews', by: 'me', open: ['reviews.form.newTitle'] },
  { name: 'invite', path: '/parks/3/visitors', by: 'me', open: ['ui.inviteFriends'] },
  { name: 'dog-new', path: '/profile/{me}/dogs', by: 'me', open: ['dogs.list.add'] },
  { name: 'desk', path: '/desk', by: 'moderator' },
];

/** SCREENS=home,park takes only these. */
const ONLY = process.env.SCREENS?.split(',');
const isWanted = (name: string) => ONLY?.includes(name) ?? true;

const MODAL = 'dialog[open], [role=menu]';

test.use({ allowedErrors: [/404|notFound|Failed to load resource/] });

for (const language of Object.keys(USERS) as Language[]) {
  for (const theme of THEMES) {
    test(`screens in ${language}, ${theme}`, async ({ site, pageFor }) => {
      site.external.tiles = 'drawn';
      const { me, friend, dogId, moderator } = await createFixtures(site, language);
      for (const size of SIZES)
        for (const [by, user] of [
          [undefined, undefined],
          ['me', me],
          ['moderator', moderator],
        ] as const) {
          const variant = `${language}-${theme}-${size.name}`;
          const page = await pageFor(user, { language, theme });
          await page.setViewportSize(size);
          if (size.name === 'phone') await touch(page);
          const goTo = await navigator(page);
          for (const screen of SCREENS.filter((each) => each.by === by && isWanted(each.name))) {
            const address = screen.path
              .replace('{me}', me.id)
              .replace('{friend}', friend)
              .replace('{dog}', dogId)
              .replace('{tokens}', tokensOf(me));
            if (screen.byLink) await load(page, address);
            else await goTo(address);
            for (const keys of screen.open ?? [])
              await buttonOf(page, keys, texts(language)).click();
            if (screen.open)
              await expect(page.locator(screen.opened ?? MODAL).last()).toBeVisible();
            if (screen.comes) await expect(page.locator(screen.comes).first()).toBeVisible();
            await keep(page, screen.name, variant);
            if (!screen.open) continue;
            await page.keyboard.press('Escape');
            // Closing changes the history, which would undo the next navigation.
            await expect(page.locator(screen.opened ?? MODAL)).toHaveCount(0);
          }
          if (by === 'me') await saveStates(page, site, { me, dogId, language }, variant);
          await page.close();
        }
    });
  }
}

/** Emulates touch, because zoom buttons are for a mouse. */
async function touch(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
}

async function keep(page: Page, screen: string, variant: string): Promise<void> {
  await settled(page);
  await page.waitForLoadState('networkidle');
  // Images outside the viewport load when they are scrolled to.
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const { top, bottom, left, right, width } = image.getBoundingClientRect();
      const isSeen = width > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      return image.complete || (image.loading === 'lazy' && !isSeen);
    }),
  );
  await saveScreenshot(page, screen, variant);
}

async function standAtPark(page: Page, site: Site, id: number): Promise<void> {
  const [park] = await site.sql<{ lat: number; long: number }>(
    'select lat::float8, long::float8 from public.parks where id = $1',
    [id],
  );
  if (park) await standAt(page, { id, name: '', ...park });
}

/** States that need an action, a time of day or missing data. */
async function saveStates(
  page: Page,
  site: Site,
  { me, dogId, language }: { me: TestUser; dogId: string; language: Language },
  variant: string,
): Promise<void> {
  const t = texts(language);
  if (isWanted('arrival') || isWanted('being-there')) {
    await standAtPark(page, site, 3);
    await load(page, '/');
    await expect(page.getByRole('region', { name: t('checkIns.offer.title') })).toBeVisible();
    await keep(page, 'arrival', variant);
    await me.client.rpc('check_in', { p_park_id: 3, p_dog_ids: [dogId] });
    await load(page, '/');
    await expect(page.getByRole('region', { name: t('checkIns.here.title') })).toBeVisible();
    await keep(page, 'being-there', variant);
    await checkOut(me);
  }
  // A check-in from far away would be a plan, without the arrival animation.
  await standAtPark(page, site, 12);
  if (isWanted('welcome')) {
    await load(page, '/parks/12/');
    await settled(page);
    await buttonOf(page, 'checkIns.button', t).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('checkIns.sheet.confirm'), exact: true })
      .click();
    await expect(page.getByText(t('checkIns.welcome')).last()).toBeVisible();
    // The popup is shown for two seconds only, so the screenshot is taken without waiting for anything else.
    await saveScreenshot(page, 'welcome', variant);
    await checkOut(me);
  }
  if (isWanted('goodbye')) {
    await me.client.rpc('check_in', { p_park_id: 12, p_dog_ids: [dogId] });
    await site.sql(
      `update public.check_ins set started_at = now() - interval '40 minutes 30 seconds' where user_id = $1 and ended_at is null`,
      [me.id],
    );
    await load(page, '/');
    await buttonOf(page, 'checkIns.here.checkOut', t).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await keep(page, 'goodbye', variant);
  }
  if (isWanted('busy-hours')) {
    await load(page, '/parks/3/');
    await settled(page);
    await page
      .getByRole('heading', { name: t('parks.busyHours.title') })
      .evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
    await keep(page, 'busy-hours', variant);
  }
  if (isWanted('night')) {
    await page.clock.setFixedTime(lastAt(0));
    // A park without a photo shows its drawing.
    await site.sql('delete from public.park_photos where park_id = 27');
    await site.sql('update public.parks set primary_photo = null where id = 27');
    await load(page, '/parks/27/');
    await keep(page, 'night', variant);
  }
  if (isWanted('weather')) {
    const before = site.external.weather;
    site.external.weather = { temperature: 25, rain: 0, code: 0, sun: 560 };
    // Far from all other parks, whose forecast the host has already cached.
    await site.sql`update public.parks set lat = 30.6, long = 34.8, shade = 0, materials = '{SAND,GRASS}' where id = 28`;
    await page.clock.setFixedTime(lastAt(8));
    await load(page, '/parks/28/');
    await settled(page);
    await page.getByRole('button', { name: t('weather.hours.title') }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await keep(page, 'weather', variant);
    site.external.weather = before;
  }
  if (isWanted('no-tiles')) {
    await page.route('**/tiles/**', (route) => route.abort());
    await load(page, '/');
    await expect(page.getByText(t('map.noPictures'))).toBeVisible();
    await keep(page, 'no-tiles', variant);
  }
}

/**
 * The most recent time at this hour. A future time would not do, because the test's sessions would have expired by then.
 * @param hour in UTC, two or three hours behind the parks
 */
function lastAt(hour: number): Date {
  const at = new Date(new Date().setUTCHours(hour, 0, 0, 0));
  return at > new Date() ? new Date(at.getTime() - 86_400_000) : at;
}

/** Returns a session's tokens in the format of an operator's invitation or reset link. */
const tokensOf = ({ session }: TestUser): string =>
  `access_token=${session.access_token}&refresh_token=${session.refresh_token}`;

/** Logs a demo user in, sends a friend request and an invite to them. */
async function createFixtures(
  site: Site,
  language: Language,
): Promise<{ me: TestUser; friend: string; dogId: string; moderator: TestUser }> {
  const id = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;
  const users = USERS[language];
  const me = await logIn(site, id(users.me));
  const friend = await logIn(site, id(users.friend));
  const guest = await logIn(site, id(10));
  // The data already exist when the second theme is captured.
  await guest.client.rpc('send_friend_request', { p_user_id: me.id });
  await befriend(me, friend);
  await friend.client.rpc('check_in', { p_park_id: 3, p_switch: true });
  await inviteTo(friend, me, 3, 26);
  // The demo user starts checked in at a park, so the visit bar would be on every screen.
  await checkOut(me);
  await me.client.from('favourite_parks').upsert({ park_id: 3 }, { ignoreDuplicates: true });
  const { data: dogs } = await me.client.from('dogs').select('id').eq('owner', me.id).limit(1);
  const moderator = await createModerator(site, me.name);
  const [submitted] = await submitParks(site, 1);
  await site.sql(
    `update public.park_translations set language = $2, name = $3, city = $4, address = $5 where park_id = $1`,
    [submitted, language, ...SUBMITTED[language]],
  );
  return { me, friend: friend.id, dogId: dogs?.[0]?.id ?? '', moderator };
}

/** Gives a demo user, whose password is unknown, the password of a new account. */
async function logIn(site: Site, id: string): Promise<TestUser> {
  const { email: from, password } = await site.user();
  const [{ email, name } = { email: '', name: '' }] = await site.sql<{
    email: string;
    name: string;
  }>(
    `update auth.users set encrypted_password = (select encrypted_password from auth.users where email = $1)
      where id = $2 returning email, (select name from public.users where users.id = $2)`,
    [from, id],
  );
  const client = site.client();
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return { id, name, email, password, ...data, client };
}
