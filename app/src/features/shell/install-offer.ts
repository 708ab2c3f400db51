// Offers to install the app after a check-in or on the second visit, but not on the map, until the user has responded once.
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

/** Chromium's event, which is stored until the user wants to install the app. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let storedPrompt: InstallPrompt | null = null;

/** Only Safari on iOS has the property `standalone`. It has no install prompt. */
const isIosPage = () => (navigator as { standalone?: boolean }).standalone === false;

/** Call this once, early, because the browser fires the event only once. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    storedPrompt = event as InstallPrompt;
  });
  addEventListener('appinstalled', endInstallOffer);
  try {
    // Do not count a reload as a second visit.
    if (sessionStorage.getItem('visit')) return;
    sessionStorage.setItem('visit', 'yes');
    writeLocal('visits', readLocal('visits') === null ? '1' : '2');
  } catch {
    // Without storage, visits cannot be counted, so the app is never offered.
  }
}

/** Returns how the app can be installed on this device: with the browser's prompt, manually on iOS, or not at all. */
export const installWay = (): 'prompt' | 'ios' | null =>
  storedPrompt ? 'prompt' : isIosPage() ? 'ios' : null;

const canOfferInstall = () =>
  installWay() !== null &&
  readLocal('installHint') === null &&
  (readLocal('checkedIn') !== null || readLocal('visits') === '2');

/** True if the offer applied when the page was opened. False on the map, and constant while a page is open. */
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
