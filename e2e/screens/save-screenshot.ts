// Stores a screenshot as WebP: in screens/, which git ignores, and in the documents that use it.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';

const ROOT = path.resolve(import.meta.dirname, '../..');

export const SIZES = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1280, height: 800 },
];

/** Screenshots that the documents use, named as in `screens/`. UPDATE_DOCS=true updates the existing ones. */
const IN_DOCS: Record<string, (screen: string) => string | undefined> = {
  'he-light-phone': (screen) => `docs/screens/${screen}.webp`,
  'he-light-desktop': (screen) =>
    screen === 'home' ? 'docs/screens/home-desktop.webp' : undefined,
  'en-light-phone': (screen) => (screen === 'park' ? 'docs/readme/park-en.webp' : undefined),
  'ar-dark-phone': (screen) => (screen === 'parks' ? 'docs/readme/parks-ar-dark.webp' : undefined),
};

/** @param variant language, theme and size, such as `he-light-phone` */
export async function saveScreenshot(page: Page, screen: string, variant: string): Promise<void> {
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 72 })
    .toBuffer();
  const shown = process.env.UPDATE_DOCS ? IN_DOCS[variant]?.(screen) : undefined;
  const inDocs = shown && existsSync(path.join(ROOT, shown)) ? shown : undefined;
  for (const file of [`screens/${screen}/${variant}.webp`, inDocs]) {
    if (!file) continue;
    await mkdir(path.dirname(path.join(ROOT, file)), { recursive: true });
    await writeFile(path.join(ROOT, file), picture);
  }
}
