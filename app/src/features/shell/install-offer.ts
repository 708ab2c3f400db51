// Whether and when to offer to install the app: after a check-in or on the second visit, not on the map, until it was answered once.
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

/** Chromium's event, which we store until the person wants to install. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let storedPrompt: InstallPrompt | null = null;

/** Safari on iOS knows no prompt, and alone says whether it runs as an app. */
const isIosPage = () => (navigator as { standalone?: boolean }).standalone === false;

/** Call once, early: the browser fires its event only once. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    storedPrompt = event as InstallPrompt;
  });
  addEventListener('appinstalled', endInstallOffer);
  try {
    // A reload is no second visit.
    if (sessionStorage.getItem('visit')) return;
    sessionStorage.setItem('visit', 'yes');
    writeLocal('visits', readLocal('visits') === null ? '1' : '2');
  } catch {
    // Without storage there is nothing to install, either.
  }
}

/** How it can be installed here: by the browser's prompt, by hand, or not. */
export const installWay = (): 'prompt' | 'ios' | null =>
  storedPrompt ? 'prompt' : isIosPage() ? 'ios' : null;

const isGoodMoment = () =>
  installWay() !== null &&
  readLocal('installHint') === null &&
  (readLocal('checkedIn') !== null || readLocal('visits') === '2');

/** True on a page after such a moment. Not on the map, and never while a page is open, so that nothing moves. */
export function useInstallMoment(): boolean {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [seen, setSeen] = useState({ path, good: false });
  if (seen.path !== path) setSeen({ path, good: path !== '/' && isGoodMoment() });
  return seen.path === path && seen.good;
}

/** Asks the browser to install. */
export async function install(): Promise<void> {
  await storedPrompt?.prompt();
}

/** Never offered again on this device. */
export function endInstallOffer(): void {
  storedPrompt = null;
  writeLocal('installHint', 'done');
}
