// Light or dark: the stored choice, else the device's; shown as data-theme on <html>.
import { readLocal, writeLocal } from '#/lib/local-settings.ts';

export type Theme = 'light' | 'dark';

export function currentTheme(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

export function storedTheme(): Theme | null {
  const stored = readLocal('theme');
  return stored === 'light' || stored === 'dark' ? stored : null;
}

/** Shows a theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  writeLocal('theme', theme);
}
