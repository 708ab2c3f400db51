// The theme, light or dark: the stored choice or the device's; set as data-theme on <html> and as the colour of the browser's bar.
import { createStore, useStore } from '#/core/store.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import type { Theme } from '../../../../shared/enums.ts';

/** 'system': follows the device. */
export type ThemeChoice = Theme | 'system';

/** The theme on screen. */
export const currentTheme = (): Theme =>
  document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';

export function storedTheme(): Theme | null {
  const stored = readLocal('theme');
  return stored === 'light' || stored === 'dark' ? stored : null;
}

const chosen = createStore<ThemeChoice | null>(storedTheme());

/** The choice on this device, also from another tab; null if there is none. */
export const useChosenTheme = (): ThemeChoice | null => useStore(chosen);

/** Shows and stores a theme; 'system' deletes the stored choice. */
export function chooseTheme(choice: ThemeChoice): void {
  writeLocal('theme', choice === 'system' ? null : choice);
  chosen.set(choice);
  showTheme(choice === 'system' ? deviceTheme() : choice);
}

const deviceTheme = (): Theme =>
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

/** Shows a theme without storing it: the device's, or the account's on a new device. */
export function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', paper);
}

/** Follows the choice in other tabs and, without a choice, the device's setting. */
export function followTheme(): void {
  if (storedTheme()) showTheme(currentTheme());
  addEventListener('storage', ({ key }) => {
    if (key === 'theme') chooseTheme(storedTheme() ?? 'system');
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    if (!storedTheme()) showTheme(matches ? 'dark' : 'light');
  });
}
