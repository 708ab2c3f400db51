// Links that open the app: packpark://… and the site's own, as the device hands them over. Only in the shells.
import { nativePlatform } from '#/platform/native.ts';

/** A page that is loaded again inside the same start of the app must not open its link again. */
const OPENED = 'openedLink';

/** Calls back with each link that opens the app, the one that started it first. They are not checked yet. */
export async function onAppLink(open: (href: string) => void): Promise<void> {
  const { App } = await import('@capacitor/app');
  const started = (await App.getLaunchUrl())?.url ?? null;
  const isNew = started !== null && sessionStorage.getItem(OPENED) !== started;
  // iOS tells of the first link twice: as this, and as an event that waited for a listener.
  let twice = nativePlatform() === 'ios' ? started : null;
  await App.addListener('appUrlOpen', ({ url }) => {
    if (url === twice) twice = null;
    else open(url);
  });
  if (!started || !isNew) return;
  sessionStorage.setItem(OPENED, started);
  open(started);
}
