// Links that open the native app (packpark://… and the site's own), and Android's back button.
import { nativePlatform } from '#/platform/native.ts';

/** The launch link that was opened. A reload within the same app launch must not open it again. */
const OPENED = 'openedLink';

/** Calls back with each link that opens the app, including the one that launched it. The links are untrusted. */
export async function onAppLink(open: (href: string) => void): Promise<void> {
  const { App } = await import('@capacitor/app');
  const started = (await App.getLaunchUrl())?.url ?? null;
  const isNew = started !== null && sessionStorage.getItem(OPENED) !== started;
  // iOS reports the launch link twice: here and as an event once a listener is added.
  let twice = nativePlatform() === 'ios' ? started : null;
  await App.addListener('appUrlOpen', ({ url }) => {
    if (url === twice) twice = null;
    else open(url);
  });
  if (!started || !isNew) return;
  sessionStorage.setItem(OPENED, started);
  open(started);
}

/**
 * With a listener, the button has no default action. If `goBack` returns false, the app closes.
 */
export async function onBackButton(goBack: () => boolean): Promise<void> {
  const { App } = await import('@capacitor/app');
  await App.addListener('backButton', () => {
    if (!goBack()) void App.exitApp();
  });
}
