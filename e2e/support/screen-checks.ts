// What must hold for any screen whatever it shows: accessible in both themes, within its width, in one language.
import type { Page } from '@playwright/test';
import { axeFindings } from './accessible.ts';
import type { Language, Theme } from './test.ts';
import { settled } from './navigation.ts';

/**
 * What axe finds in the light theme, and what it finds in the dark one, which differs in nothing but its colours. Languages
 * differ in nothing but their texts, whose lengths decide how large a target is: all else is looked for in one of them.
 */
export async function accessFindings(page: Page, language: Language): Promise<string[]> {
  if (language !== 'he') return axeFindings(page, ['target-size']);
  const show = (theme: Theme) =>
    page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
  const light = await axeFindings(page);
  await show('dark');
  const dark = await axeFindings(page, ['color-contrast']);
  await show('light');
  return [...light, ...dark.map((finding) => `dark: ${finding}`)];
}

/** What is still found once nothing is on its way any more: an answer may arrive between the wait for it and the look. */
async function lasting(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  const found = await look();
  if (found.length === 0) return found;
  await settled(page);
  const again = await look();
  return found.filter((finding) => again.includes(finding));
}

/** Elements that stand out of the window's width, or whose text is cut off without a sign. */
export const widthFindings = (page: Page): Promise<string[]> =>
  lasting(page, () => widthFindingsNow(page));

function widthFindingsNow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} “${element.textContent.slice(0, 40)}”`;
    /** Within something that scrolls or clips, that something is what has to fit. */
    const isFree = ({ parentElement: around }: Element): boolean =>
      !around ||
      around === document.body ||
      (getComputedStyle(around).overflowX === 'visible' && isFree(around));
    const shown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('.visually-hidden, [aria-hidden=true], [role=img]');
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
    const found: string[] = [];
    const width = document.documentElement.clientWidth;
    // On a usual phone tabs do not scroll.
    const hasRoom = width >= 390 && !document.documentElement.style.fontSize;
    if (document.documentElement.scrollWidth > width) found.push('the page scrolls sideways');
    for (const element of (dialog ?? document.body).querySelectorAll('*')) {
      if (element.closest('svg, .leaflet-container') || !shown(element)) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      if ((box.right > width + 1 || box.left < -1) && isFree(element))
        found.push(`stands out of the window: ${nameOf(element)}`);
      // Few do, and their style is asked for last: it is what takes long.
      if (element.scrollWidth <= element.clientWidth + 1) continue;
      const style = getComputedStyle(element);
      if (
        ['hidden', 'clip'].includes(style.overflowX) &&
        style.textOverflow !== 'ellipsis' &&
        style.webkitLineClamp === 'none' &&
        element.matches(':not(body, html, input, img)')
      )
        found.push(`is cut off: ${nameOf(element)}`);
      if (style.overflowX === 'auto')
        if (!element.matches(`[class*=track], [class*=strip]${hasRoom ? '' : ', nav'}`))
          found.push(`scrolls sideways: ${nameOf(element)}`);
    }
    return [...new Set(found)];
  });
}

/** Names that stay as they are in every script. */
const PROPER =
  /Packpark|OpenStreetMap|Open-Meteo|Leaflet|Google( Play| Maps)?|Apple( Maps)?|App Store|Waze|ODbL|CC BY 4\.0|GPS|PNG|JPEG|WebP|PDF|JSON|WCAG 2\.2|\bAA\b|IndexedDB|https?:\/\/\S+|\S+@\S+|\b[\w-]+(\.[\w-]+)+\b|\b(QR|MIT|IP|Enter)\b/g;

/**
 * Keys, raw ICU and values that are none in any language; Latin letters where the language is written in others.
 * @param proper names that may stand in any language
 */
export const wordFindings = (
  page: Page,
  language: Language,
  proper: readonly string[] = [],
): Promise<string[]> => lasting(page, () => wordFindingsNow(page, language, proper));

async function wordFindingsNow(
  page: Page,
  language: Language,
  proper: readonly string[],
): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title.replace(/ · Packpark$/, '')];
    const navigator = document.createTreeWalker(
      document.body,
      NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    );
    // What people wrote, and what is marked as of another language or direction, is theirs.
    const foreign = `bdi, [dir=auto], [dir=ltr]:not(html), [lang]:not(html), script, style, .leaflet-control-attribution, textarea`;
    while (navigator.nextNode()) {
      const node = navigator.currentNode;
      if (node instanceof Text) {
        const parent = node.parentElement;
        if (node.data.trim() && parent && !parent.closest(foreign)) found.push(node.data.trim());
      } else if (node instanceof Element && !node.closest(foreign)) {
        for (const name of [
          'placeholder',
          'title',
          'alt',
          'aria-label',
          'aria-valuetext',
          'aria-roledescription',
        ])
          if (node.hasAttribute(name)) found.push(node.getAttribute(name) ?? '');
      }
    }
    return found;
  });
  const isLatin = (text: string) => /[a-z]{2,}/i.test(text);
  const isSemitic = (text: string) => /[\u0590-\u06ff]/.test(text);
  const withoutNames = (text: string) =>
    proper.reduce((left, name) => left.replaceAll(name, ''), text.replace(PROPER, ''));
  const wrong = texts.filter(
    (text) =>
      /\b[a-z]\w*\.[a-z]\w*\.\w+\b/i.test(text) ||
      /[{}]|\bplural,|\bundefined\b|\bNaN\b|\[object|\bnull\b/.test(text) ||
      (language !== 'en' && isLatin(text) && isLatin(withoutNames(text))) ||
      (language === 'en' && isSemitic(text) && isSemitic(withoutNames(text))),
  );
  const { lang, dir } = await page.evaluate(() => {
    const { lang, dir } = document.documentElement;
    return { lang, dir };
  });
  const expected = language === 'en' ? 'ltr' : 'rtl';
  if (lang !== language || dir !== expected) wrong.push(`the page is said to be ${lang}, ${dir}`);
  return [...new Set(wrong)].map((text) => `not ${language}: ${text}`);
}
