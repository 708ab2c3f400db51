// Light or dark: the stored choice, else the device's; shown as data-theme on <html> and in the colour of the browser's bar.
import { createStore, useStore } from '#/core/store.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import type { Theme } from '../../../../shared/enums.ts';

/** 'system': as the device has it, by day and by night. */
export type ThemeChoice = Theme | 'system';

/** What is on the screen, chosen or not. */
export const currentTheme = (): Theme =>
  document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';

export function storedTheme(): Theme | null {
  const stored = readLocal('theme');
  return stored === 'light' || stored === 'dark' ? stored : null;
}

const chosen = createStore<ThemeChoice | null>(storedTheme());

/** What was chosen on this device, also in another tab; null where nothing was. */
export const useChosenTheme = (): ThemeChoice | null => useStore(chosen);

/** Shows a theme and remembers it; with 'system', forgets what was chosen. */
export function chooseTheme(choice: ThemeChoice): void {
  writeLocal('theme', choice === 'system' ? null : choice);
  chosen.set(choice);
  showTheme(choice === 'system' ? deviceTheme() : choice);
}

const deviceTheme = (): Theme =>
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

/** Shows a theme without remembering it: the device's, or the account's on a new device. */
export function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', paper);
}

/** The theme follows what another tab chooses; without a choice also the device's setting when that changes. */
export function followTheme(): void {
  if (storedTheme()) showTheme(currentTheme());
  addEventListener('storage', ({ key }) => {
    if (key === 'theme') chooseTheme(storedTheme() ?? 'system');
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (!storedTheme()) showTheme(matches ? 'dark' : 'light');
  });
}
