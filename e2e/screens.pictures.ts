// Takes a picture of every screen: three languages, two themes, a phone and a desktop; kept as WebP in docs/screens/.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { type Language, type Person, test, type Theme } from './fixtures.ts';

const LANGUAGES: Language[] = ['en', 'he', 'ar'];
const THEMES: Theme[] = ['light', 'dark'];
const SIZES = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1280, height: 800 },
];

interface Screen {
  name: string;
  /** `{me}`, `{dog}`, `{park}` stand for ids. */
  path: string;
  loggedIn?: boolean;
}

const SCREENS: Screen[] = [
  { name: 'home', path: '/' },
  { name: 'parks', path: '/parks' },
  { name: 'park', path: '/parks/{park}/' },
  { name: 'park-reviews', path: '/parks/{park}/reviews' },
  { name: 'park-visitors', path: '/parks/{park}/visitors', loggedIn: true },
  { name: 'park-new', path: '/parks/new', loggedIn: true },
  { name: 'share', path: '/share/parks/{park}' },
  { name: 'login', path: '/login?mode=login' },
  { name: 'signup', path: '/login?mode=signup' },
  { name: 'users', path: '/users?q=noa', loggedIn: true },
  { name: 'profile-dogs', path: '/profile/{me}/dogs', loggedIn: true },
  { name: 'profile-friends', path: '/profile/{me}/friends', loggedIn: true },
  { name: 'profile-favorites', path: '/profile/{me}/favorites', loggedIn: true },
  { name: 'profile-settings', path: '/profile/{me}/settings', loggedIn: true },
  { name: 'dog', path: '/profile/{me}/dogs/{dog}', loggedIn: true },
  { name: 'notifications', path: '/notifications', loggedIn: true },
  { name: 'about', path: '/about' },
  { name: 'privacy-policy', path: '/privacy-policy' },
  { name: 'delete-account', path: '/delete-account' },
  { name: 'user-deleted', path: '/user-deleted' },
  { name: 'not-found', path: '/no-such-place' },
];

const folder = path.resolve(import.meta.dirname, '../docs/screens');

test.use({ allowedErrors: [/404|Failed to load resource/] });

for (const language of LANGUAGES) {
  for (const theme of THEMES) {
    test(`screens in ${language}, ${theme}`, async ({ stage, browserOf }) => {
      stage.outside.tiles = 'drawn';
      const me = await stage.person('Noa');
      await me.client.from('users').update({ language }).eq('id', me.id);
      const { dogId, parkId } = await arrange(me, await stage.person('Tamar'));
      for (const size of SIZES) {
        for (const loggedIn of [false, true]) {
          const page = await browserOf(loggedIn ? me : undefined, { language, theme });
          await page.setViewportSize(size);
          for (const screen of SCREENS.filter((each) => (each.loggedIn ?? false) === loggedIn)) {
            await page.goto(
              screen.path
                .replace('{me}', me.id)
                .replace('{dog}', dogId)
                .replace('{park}', String(parkId)),
            );
            await page.locator('#main h1').first().waitFor({ state: 'attached' });
            await page.locator('#preloader').waitFor({ state: 'detached' });
            await page.waitForLoadState('networkidle');
            await page.evaluate(() => document.fonts.ready);
            const picture = await page.screenshot();
            await mkdir(path.join(folder, screen.name), { recursive: true });
            await sharp(picture)
              .webp({ quality: 72 })
              .toFile(path.join(folder, screen.name, `${language}-${theme}-${size.name}.webp`));
          }
          await page.context().close();
        }
      }
    });
  }
}

/** A dog, a favourite and a friend request, so that no screen of the own profile is empty. */
async function arrange(me: Person, friend: Person): Promise<{ dogId: string; parkId: number }> {
  const { data: parks } = await me.client.from('parks').select('id').order('id').limit(2);
  const parkId = parks?.[0]?.id ?? 1;
  const { data: dog } = await me.client
    .from('dogs')
    .insert({
      owner: me.id,
      name: 'Bamba',
      breed: 'canaan_dog',
      gender: 'FEMALE',
      birthday: '2022-05-04',
      size: 'MEDIUM',
      energy: 'HIGH',
      likes: 'balls, the sea, Pita',
      dislikes: 'hoovers',
      description: 'Runs first, thinks later.',
    })
    .select('id')
    .single();
  await friend.client.rpc('send_friend_request', { p_user_id: me.id });
  await me.client.from('favourite_parks').insert({ park_id: parkId });
  const { data: found } = await me.client.rpc('search_users_with_dogs', { input: 'a' });
  for (const user of (found ?? []).slice(0, 2))
    await me.client.rpc('send_friend_request', { p_user_id: user.id });
  return { dogId: dog?.id ?? '', parkId };
}
