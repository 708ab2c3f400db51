// What the page says where the app cannot begin: to a browser that is too old, and where a part of it did not come.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const page = readFileSync(path.join(import.meta.dirname, '../index.html'), 'utf8');
const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
const scriptWith = (words: string) => scripts.find((text) => text.includes(words)) ?? '';
const check = scriptWith('too old');
const lost = scriptWith('start-failed');

/** In three languages, and without a place for main.tsx to begin. */
function expectWords(body: string): void {
  expect(body).not.toContain('id="root"');
  for (const script of ['Latin', 'Hebrew', 'Arabic'])
    expect(body).toMatch(new RegExp(`\\p{Script=${script}}{4}`, 'u'));
  expect(body.match(/<p lang=/g)).toHaveLength(3);
}

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
  expectWords(bodyIn(browser));
});

/** A page that starts: what is told to it, its body, and how often it was loaded again. */
function starting(preloader: boolean) {
  const listeners = new Map<string, (event: object) => void>();
  const document = {
    body: { innerHTML: '<div id="root"></div>' },
    getElementById: () => (preloader ? {} : null),
  };
  let reloads = 0;
  const window = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      listeners.set(type, listener),
  };
  runInNewContext(lost, { document, window, location: { reload: () => (reloads += 1) } });
  return {
    tell: (type: string, target: object = {}) => listeners.get(type)?.({ type, target }),
    body: () => document.body.innerHTML,
    reloads: () => reloads,
  };
}

test.each([
  ['the script that starts the app', 'error', { type: 'module' }],
  ['a part that it needs', 'start-failed', {}],
])('%s did not come: that is said, and with the network it is tried again', (_, type, target) => {
  const start = starting(true);
  start.tell(type, target);
  expectWords(start.body());
  start.tell('online');
  expect(start.reloads()).toBe(1);
});

test('a picture that does not load, and whatever fails once the app stands, is not the page’s to say', () => {
  const start = starting(true);
  start.tell('error', { src: '/icon.svg' });
  expect(start.body()).toContain('id="root"');
  const stands = starting(false);
  stands.tell('error', { type: 'module' });
  expect(stands.body()).toContain('id="root"');
});

test.each([check, lost])('it stands before the module that starts the app', (script) => {
  expect(script).not.toBe('');
  expect(page.indexOf(script)).toBeLessThan(page.indexOf('type="module"'));
});
