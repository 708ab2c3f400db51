// Takes a picture of every screen and sheet: three languages, two themes, a phone and a desktop; as WebP in screens/, which git ignores.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import {
  expect,
  type Language,
  type Person,
  type Site,
  test,
  type Theme,
} from '../support/test.ts';
import { buttonOf, load, settled, walker } from '../support/tour.ts';
import { texts } from '../support/texts.ts';

// Without it the info pages would name this machine's address.
test.use({ hostSettings: { CONTACT_EMAIL: 'hello@packpark.example' } });

const THEMES: Theme[] = ['light', 'dark'];
const SIZES = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1280, height: 800 },
];

/** A person of the demo for each language, a friend of theirs, and a park where both may be. */
const PEOPLE = {
  en: { me: 1, friend: 4 },
  he: { me: 2, friend: 5 },
  ar: { me: 3, friend: 6 },
};

interface Screen {
  name: string;
  /** `{me}`, `{friend}` and `{dog}` stand for ids, `{tokens}` for those of a link that logs `me` in. */
  path: string;
  /** Opened as a link from elsewhere is, not from within the app. */
  byLink?: boolean;
  loggedIn?: boolean;
  /** The texts of the buttons that open a sheet, one after the other. */
  open?: string[];
  /** What opens; a sheet or a menu where it is not said. */
  opened?: string;
}

const SCREENS: Screen[] = [
  { name: 'home', path: '/' },
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
  { name: 'park-visitors', path: '/parks/3/visitors', loggedIn: true },
  { name: 'park-new', path: '/parks/new', loggedIn: true },
  { name: 'users', path: '/users?q=ma', loggedIn: true },
  { name: 'profile-dogs', path: '/profile/{me}/dogs', loggedIn: true },
  { name: 'profile-reviews', path: '/profile/{me}/reviews', loggedIn: true },
  { name: 'profile-friends', path: '/profile/{me}/friends', loggedIn: true },
  { name: 'profile-favorites', path: '/profile/{me}/favorites', loggedIn: true },
  { name: 'profile-info', path: '/profile/{me}/info', loggedIn: true },
  { name: 'profile-settings', path: '/profile/{me}/settings', loggedIn: true },
  {
    name: 'second-factor',
    path: '/profile/{me}/settings',
    loggedIn: true,
    open: ['account.factor.add'],
  },
  { name: 'profile-of-friend', path: '/profile/{friend}/dogs', loggedIn: true },
  { name: 'dog', path: '/profile/{me}/dogs/{dog}', loggedIn: true },
  { name: 'notifications', path: '/notifications', loggedIn: true },
  { name: 'meetings', path: '/meetings', loggedIn: true },
  { name: 'check-in', path: '/parks/12/', loggedIn: true, open: ['checkIns.button'] },
  { name: 'report', path: '/parks/3/', loggedIn: true, open: ['liveReports.report'] },
  { name: 'review', path: '/parks/12/reviews', loggedIn: true, open: ['reviews.list.write'] },
  { name: 'invite', path: '/parks/3/visitors', loggedIn: true, open: ['parkInvites.button'] },
  { name: 'dog-new', path: '/profile/{me}/dogs', loggedIn: true, open: ['dogs.list.add'] },
];

const MODAL = 'dialog[open], [role=menu]';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The few pictures that the documents show, by the same names as in `screens/`: renewed with UPDATE_DOCS=true only. */
const IN_DOCS: Record<string, (screen: string) => string | undefined> = {
  'he-light-phone': (screen) => `docs/screens/${screen}.webp`,
  'en-light-phone': (screen) => (screen === 'park' ? 'docs/readme/park-en.webp' : undefined),
  'ar-dark-phone': (screen) => (screen === 'parks' ? 'docs/readme/parks-ar-dark.webp' : undefined),
};

test.use({ allowedErrors: [/404|notFound|Failed to load resource/] });

for (const language of Object.keys(PEOPLE) as Language[]) {
  for (const theme of THEMES) {
    test(`screens in ${language}, ${theme}`, async ({ site, pageFor }) => {
      site.external.tiles = 'drawn';
      const { me, friend, dogId } = await createFixtures(site, language);
      for (const size of SIZES)
        for (const loggedIn of [false, true]) {
          const page = await pageFor(loggedIn ? me : undefined, { language, theme });
          await page.setViewportSize(size);
          const walk = await walker(page);
          for (const screen of SCREENS.filter((each) => (each.loggedIn ?? false) === loggedIn)) {
            const address = screen.path
              .replace('{me}', me.id)
              .replace('{friend}', friend)
              .replace('{dog}', dogId)
              .replace('{tokens}', tokensOf(me));
            if (screen.byLink) await load(page, address);
            else await walk(address);
            for (const keys of screen.open ?? [])
              await buttonOf(page, keys, texts(language)).click();
            if (screen.open)
              await expect(page.locator(screen.opened ?? MODAL).last()).toBeVisible();
            await keep(page, screen.name, `${language}-${theme}-${size.name}`);
            if (screen.open) await page.keyboard.press('Escape');
            await expect(page.locator(MODAL)).toHaveCount(0);
          }
          await page.context().close();
        }
    });
  }
}

async function keep(page: Page, screen: string, variant: string): Promise<void> {
  await settled(page);
  await page.waitForLoadState('networkidle');
  // Those outside the window are fetched when they are scrolled to.
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const { top, bottom, left, right, width } = image.getBoundingClientRect();
      const isSeen = width > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
      return image.complete || (image.loading === 'lazy' && !isSeen);
    }),
  );
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 72 })
    .toBuffer();
  const inDocs = process.env.UPDATE_DOCS ? IN_DOCS[variant]?.(screen) : undefined;
  for (const file of [`screens/${screen}/${variant}.webp`, inDocs]) {
    if (!file) continue;
    await mkdir(path.dirname(path.join(ROOT, file)), { recursive: true });
    await writeFile(path.join(ROOT, file), picture);
  }
}

/** As an operator's invitation or reset link carries them. */
const tokensOf = ({ session }: Person): string =>
  `access_token=${session.access_token}&refresh_token=${session.refresh_token}`;

/** Logs a person of the demo in, lets somebody ask for their friendship, and a friend invite them. */
async function createFixtures(
  site: Site,
  language: Language,
): Promise<{ me: Person; friend: string; dogId: string }> {
  const id = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;
  const people = PEOPLE[language];
  const me = await logIn(site, id(people.me));
  const friend = await logIn(site, id(people.friend));
  const guest = await logIn(site, id(10));
  // A second theme finds what the first one created.
  await guest.client.rpc('send_friend_request', { p_user_id: me.id });
  await me.client.rpc('send_friend_request', { p_user_id: friend.id });
  await friend.client.rpc('accept_friend_request', { p_user_id: me.id });
  await friend.client.rpc('check_in', { p_park_id: 3, p_switch: true });
  await friend.client.rpc('invite_to_park', {
    p_park_id: 3,
    p_friend_ids: [me.id],
    p_meet_at: new Date(Date.now() + 26 * 3_600_000).toISOString(),
  });
  const { data: dogs } = await me.client.from('dogs').select('id').eq('owner', me.id).limit(1);
  return { me, friend: friend.id, dogId: dogs?.[0]?.id ?? '' };
}

/** The demo's people have a password that nobody knows: they get that of somebody who just signed up. */
async function logIn(site: Site, id: string): Promise<Person> {
  const { email, password } = await site.person();
  const [row] = await site.sql(
    `update auth.users set encrypted_password = (select encrypted_password from auth.users where email = $1)
      where id = $2 returning email`,
    [email, id],
  );
  const client = site.client();
  const { data, error } = await client.auth.signInWithPassword({
    email: String(row?.email),
    password,
  });
  if (error) throw error;
  return { ...(await nameOf(client, id)), email: String(row?.email), password, ...data, client };
}

async function nameOf(client: Person['client'], id: string): Promise<{ id: string; name: string }> {
  const { data } = await client.from('users').select('id, name').eq('id', id).single();
  return data ?? { id, name: '' };
}
