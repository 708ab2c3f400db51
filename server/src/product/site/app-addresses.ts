// The addresses of the app's screens: any other gets the app with HTTP 404, and it says that there is no such page.

/** As the app's routes write them; a test compares. */
export const APP_ADDRESSES = [
  '/',
  '/about',
  '/accessibility',
  '/auth-callback',
  '/delete-account',
  '/desk/{-$view}',
  '/dog-invites/$secret',
  '/email-callback',
  '/login',
  '/meetings',
  '/notifications',
  '/parks',
  '/parks/$parkId',
  '/parks/$parkId/reviews',
  '/parks/$parkId/visitors',
  '/parks/new',
  '/privacy-policy',
  '/profile',
  '/profile/$id',
  '/profile/$id/diary',
  '/profile/$id/dogs',
  '/profile/$id/dogs/$dogId',
  '/profile/$id/favorites',
  '/profile/$id/friends',
  '/profile/$id/info',
  '/profile/$id/reviews',
  '/profile/$id/settings',
  '/share/parks/$parkId',
  '/tag/$code',
  '/terms',
  '/update-password',
  '/user-deleted',
  '/users',
];

const PATTERNS = APP_ADDRESSES.map((address) => {
  const pattern = address
    .replace('/{-$view}', '(?:/[^/]+)?')
    .replace('$parkId', '[1-9][0-9]{0,14}')
    .replaceAll(/\$\w+/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`);
});

export const isAppAddress = (pathname: string): boolean =>
  PATTERNS.some((pattern) => pattern.test(pathname));
