// What a device tells an app: links that open it (packpark://… and the site's own), and Android's back button. Only in the shells.
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

/** The button does nothing by itself once we listen. `goBack` answers false where there is nothing left to go back from: the app is left then. */
export async function onBackButton(goBack: () => boolean): Promise<void> {
  const { App } = await import('@capacitor/app');
  await App.addListener('backButton', () => {
    if (!goBack()) void App.exitApp();
  });
}
