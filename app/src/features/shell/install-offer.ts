// Whether and when to say that the app can be installed: after a good moment, on a page that has room, until it was answered once.
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

/** What Chromium keeps for us until the person wants it. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let held: InstallPrompt | null = null;

/** Safari on iOS knows no prompt, and alone says whether it runs as an app. */
const isIosPage = () => (navigator as { standalone?: boolean }).standalone === false;

/** Call once, early: the browser offers only one moment. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    held = event as InstallPrompt;
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
  held ? 'prompt' : isIosPage() ? 'ios' : null;

const isGoodMoment = () =>
  installWay() !== null &&
  readLocal('installHint') === null &&
  (readLocal('checkedIn') !== null || readLocal('visits') === '2');

/** True on a page after a good moment. The map keeps its room, and nothing moves while a page is being read. */
export function useInstallMoment(): boolean {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [seen, setSeen] = useState({ path, good: false });
  if (seen.path !== path) setSeen({ path, good: path !== '/' && isGoodMoment() });
  return seen.path === path && seen.good;
}

/** Asks the browser to install. @returns true when the person did */
export async function install(): Promise<boolean> {
  const answer = await held?.prompt();
  held = null;
  return answer?.outcome === 'accepted';
}

/** Never offered again on this device. */
export function endInstallOffer(): void {
  held = null;
  writeLocal('installHint', 'done');
}
