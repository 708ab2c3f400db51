// Paths of the app's screens. For all other paths, the app is sent with status 404 and shows that the page does not exist.

/** In the syntax of the app's router. A test compares them with the app's routes. */
export const APP_ADDRESSES = [
  '/',
  '/about',
  '/accessibility',
  '/auth-callback',
  '/confirm',
  '/delete-account',
  '/desk/{-$view}',
  '/dog-invites/$secret',
  '/email-callback',
  '/login',
  '/meet/$secret',
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
