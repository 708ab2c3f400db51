// Offers to install the app after a check-in or on the second visit, not on the map, until the user responds once.
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

/** Chromium's event, stored until the user wants to install. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let storedPrompt: InstallPrompt | null = null;

/** Only Safari on iOS has this property; it has no install prompt. */
const isIosPage = () => (navigator as { standalone?: boolean }).standalone === false;

/** Call once, early: the browser fires its event only once. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    storedPrompt = event as InstallPrompt;
  });
  addEventListener('appinstalled', endInstallOffer);
  try {
    // A reload does not count as a second visit.
    if (sessionStorage.getItem('visit')) return;
    sessionStorage.setItem('visit', 'yes');
    writeLocal('visits', readLocal('visits') === null ? '1' : '2');
  } catch {
    // Without storage, visits cannot be counted, so never offer to install the app.
  }
}

/** How the app can be installed here: with the browser's prompt, manually on iOS, or not at all. */
export const installWay = (): 'prompt' | 'ios' | null =>
  storedPrompt ? 'prompt' : isIosPage() ? 'ios' : null;

const canOfferInstall = () =>
  installWay() !== null &&
  readLocal('installHint') === null &&
  (readLocal('checkedIn') !== null || readLocal('visits') === '2');

/** True on a page that was opened when the offer applies. Never on the map, and never changes while a page is open. */
export function useInstallOffer(): boolean {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [seen, setSeen] = useState({ path, isOffered: false });
  if (seen.path !== path) setSeen({ path, isOffered: path !== '/' && canOfferInstall() });
  return seen.path === path && seen.isOffered;
}

/** Shows the browser's install prompt. */
export async function install(): Promise<void> {
  await storedPrompt?.prompt();
}

/** Stops offering to install the app on this device. */
export function endInstallOffer(): void {
  storedPrompt = null;
  writeLocal('installHint', 'done');
}
