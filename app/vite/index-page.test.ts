// The page that a browser gets which is too old for the app: a word in three languages, and the app does not begin.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const page = readFileSync(path.join(import.meta.dirname, '../index.html'), 'utf8');
const [, check = ''] =
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].find(([script]) =>
    script.includes('too-old'),
  ) ?? [];

/** @returns the page's body in a browser that knows these colours and parts */
function bodyIn(browser: { colours?: RegExp; parts?: object }): string {
  const document = { body: { innerHTML: '<div id="root"></div>' } };
  const CSS = browser.colours && {
    supports: (_: string, value: string) => browser.colours?.test(value) ?? false,
  };
  const window = { ...(CSS && { CSS }), ...browser.parts };
  runInNewContext(check, { document, window, ...window });
  return document.body.innerHTML;
}

test('a browser that the app is built for sees the app', () => {
  const body = bodyIn({ colours: /./, parts: { CompressionStream: true } });
  expect(body).toBe('<div id="root"></div>');
});

test.each([
  ['without CSS.supports', {}],
  ['older than Chromium 111', { colours: /^#/, parts: { CompressionStream: true } }],
  ['older than Safari 16.4', { colours: /./ }],
])('one %s is told so in three languages', (_, browser) => {
  const body = bodyIn(browser);
  // Without it, main.tsx has nowhere to begin.
  expect(body).not.toContain('id="root"');
  for (const script of ['Latin', 'Hebrew', 'Arabic'])
    expect(body).toMatch(new RegExp(`\\p{Script=${script}}{4}`, 'u'));
  expect(body.match(/<p lang=/g)).toHaveLength(3);
});

test('it stands before the module that starts the app', () => {
  expect(page.indexOf(check)).toBeLessThan(page.indexOf('type="module"'));
});
