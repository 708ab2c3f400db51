// Checks for any screen: accessible in both themes, within the viewport, in one language.
import type { Page } from '@playwright/test';
import { axeFindings } from './accessible.ts';
import type { Language, Theme } from './test.ts';
import { settled } from './navigation.ts';

/**
 * axe's violations in the light and the dark theme, which differ in colours only. Languages differ in text length only, which
 * affects target sizes, so everything else is checked in one language.
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

/** Violations that remain after everything has loaded, because a response may arrive during the check. */
async function lasting(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  const found = await look();
  if (found.length === 0) return found;
  await settled(page);
  const again = await look();
  return found.filter((finding) => again.includes(finding));
}

/** Elements that exceed the viewport's width, text that is clipped without an ellipsis, and titles that break inside a word. */
export const widthFindings = (page: Page): Promise<string[]> =>
  lasting(page, () => widthFindingsNow(page));

function widthFindingsNow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} “${element.textContent.slice(0, 40)}”`;
    /** False for elements inside a scrolling or clipping container, because only the container has to fit. */
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
    // On a typical phone, tabs do not scroll.
    const hasRoom = width >= 390 && !document.documentElement.style.fontSize;
    if (document.documentElement.scrollWidth > width) found.push('the page scrolls sideways');
    for (const element of (dialog ?? document.body).querySelectorAll('*')) {
      if (element.closest('svg, .leaflet-container') || !shown(element)) continue;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      if ((box.right > width + 1 || box.left < -1) && isFree(element))
        found.push(`stands out of the window: ${nameOf(element)}`);
      // Few elements overflow, so the slow style check comes last.
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
    const range = document.createRange();
    for (const heading of document.querySelectorAll('main h1:not(.visually-hidden)')) {
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      while (texts.nextNode())
        for (const { 0: word, index } of (texts.currentNode.nodeValue ?? '').matchAll(
          /[\p{L}\p{M}]+/gu,
        )) {
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          const lines = [...range.getClientRects()];
          // Words that are longer than the header break anyway.
          const room = (heading.closest('header') ?? heading).clientWidth;
          const fits = lines.reduce((sum, line) => sum + line.width, 0) < room;
          if (fits && lines.some(({ top }) => top > (lines[0]?.bottom ?? 0) - 4))
            found.push(`breaks inside the word: ${word}`);
        }
    }
    return [...new Set(found)];
  });
}

/** Names that stay the same in every script. */
const PROPER =
  /Packpark|OpenStreetMap|Open-Meteo|Leaflet|Google( Play| Maps)?|Apple( Maps)?|App Store|Waze|ODbL|CC BY 4\.0|GPS|PNG|JPEG|WebP|PDF|(Geo)?JSON|CSV|MB|EPSG:\d+|windows-\d+|WCAG 2\.2|\bAA\b|IndexedDB|https?:\/\/\S+|\S+@\S+|\b[\w-]+(\.[\w-]+)+\b|\b(QR|MIT|IP|Enter)\b/g;

/**
 * Message keys, raw ICU and invalid values; Latin letters in languages written in other scripts.
 * @param proper names that may appear in any language
 */
export const textFindings = (
  page: Page,
  language: Language,
  proper: readonly string[] = [],
): Promise<string[]> => lasting(page, () => textFindingsNow(page, language, proper));

async function textFindingsNow(
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
    // User content, and text marked as another language or direction, is exempt.
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
