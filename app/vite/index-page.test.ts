// The page's messages when the app cannot start: the browser is too old or a file failed to load.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startPage } from './catalogues.ts';
import arabic from '../../languages/ar/app.json';
import english from '../../languages/en/app.json';
import hebrew from '../../languages/he/app.json';

const page = startPage(readFileSync(path.join(import.meta.dirname, '../index.html'), 'utf8'));
const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);
const scriptWith = (part: string) => scripts.find((text) => text.includes(part)) ?? '';
const browserCheck = scriptWith('too old');
const startCheck = scriptWith('start-failed');

/** @returns the page's body in a browser that supports these colours and globals */
function bodyIn(browser: { colours?: RegExp; parts?: object }): string {
  const document = { body: { innerHTML: '<div id="root"></div>' } };
  const CSS = browser.colours && {
    supports: (_: string, value: string) => browser.colours?.test(value) ?? false,
  };
  const window = { ...(CSS && { CSS }), ...browser.parts };
  runInNewContext(browserCheck, { document, window, ...window });
  return document.body.innerHTML;
}

test('a supported browser shows the app', () => {
  const body = bodyIn({ colours: /./, parts: { CompressionStream: true } });
  expect(body).toBe('<div id="root"></div>');
});

test.each([
  ['without CSS.supports', {}],
  ['older than Chromium 111', { colours: /^#/, parts: { CompressionStream: true } }],
  ['older than Safari 16.4', { colours: /./ }],
])('a browser %s shows a message in three languages', (_, browser) => {
  const body = bodyIn(browser);
  // main.tsx has no root element, so it does not start.
  expect(body).not.toContain('id="root"');
  for (const script of ['Latin', 'Hebrew', 'Arabic'])
    expect(body).toMatch(new RegExp(`\\p{Script=${script}}{4}`, 'u'));
  expect(body.match(/<p lang=/g)).toHaveLength(3);
});

/**
 * Runs the start page: sends it events and returns its message and number of reloads.
 * @param isRendered true if the app has rendered
 */
function startPageScript({ language = 'en', isRendered = false } = {}) {
  const listeners = new Map<string, (event: object) => void>();
  const timers: { run: () => void; after: number }[] = [];
  let [root, message, hidden, reloads] = [true, '', true, 0];
  const button = { onclick: () => undefined };
  const shown = { remove: () => (message = '') };
  const preloader = {
    querySelector: (selector: string) => {
      if (message === '') return null;
      return selector.endsWith('button') ? button : shown;
    },
    removeAttribute: () => (hidden = false),
    insertAdjacentHTML: (_: string, html: string) => (message += html),
  };
  const parts: Record<string, object> = {
    preloader,
    root: { firstChild: isRendered ? {} : null, remove: () => (root = false) },
  };
  runInNewContext(startCheck, {
    document: {
      documentElement: { lang: language },
      getElementById: (id: string) => (id === 'root' && !root ? null : parts[id]),
    },
    window: {
      addEventListener: (type: string, listener: (event: object) => void) =>
        listeners.set(type, listener),
    },
    location: { reload: () => (reloads += 1) },
    setTimeout: (run: () => void, after: number) => timers.push({ run, after }),
  });
  return {
    dispatch: (type: string, target: object = {}) => listeners.get(type)?.({ type, target }),
    /** Runs the timers that are due after this many milliseconds. */
    wait: (ms: number) => {
      for (const { run, after } of timers) if (after <= ms) run();
    },
    press: () => button.onclick(),
    /** The message below the paw; empty if it is hidden from screen readers. */
    message: () => (hidden ? '' : message),
    /** True if main.tsx has its root element, so it can start. */
    mayStart: () => root,
    reloads: () => reloads,
  };
}

test.each([
  ['the script that starts the app', 'error', { type: 'module' }],
  ['a part that it needs', 'start-failed', {}],
])(
  'if %s fails to load, a message is shown and the page reloads once online',
  (_, type, target) => {
    const start = startPageScript();
    start.dispatch(type, target);
    expect(start.message()).toContain('No internet connection');
    expect(start.mayStart()).toBe(false);
    start.press();
    start.dispatch('online');
    expect(start.reloads()).toBe(2);
  },
);

test.each(Object.entries({ en: english, he: hebrew, ar: arabic }))(
  'a slow file is reported in %s after a while, and the app may still start',
  (language, texts) => {
    const start = startPageScript({ language });
    start.wait(14_000);
    expect(start.message()).toBe('');
    start.wait(15_000);
    expect(start.message()).toContain(texts['shell.pending.long']);
    expect(start.message()).toContain(texts['ui.failed.tryAgain']);
    expect(start.mayStart()).toBe(true);
    start.press();
    expect(start.reloads()).toBe(1);
    // The final error replaces the earlier message.
    start.dispatch('start-failed');
    expect(start.message()).toContain(texts['errors.offline']);
    expect(start.message()).not.toContain(texts['shell.pending.long']);
  },
);

test('images that fail, and anything that fails after the app has rendered, are not reported', () => {
  const start = startPageScript();
  start.dispatch('error', { src: '/icon.svg' });
  expect(start.message()).toBe('');
  const rendered = startPageScript({ isRendered: true });
  rendered.dispatch('error', { type: 'module' });
  rendered.wait(60_000);
  expect(rendered.message()).toBe('');
  expect(rendered.mayStart()).toBe(true);
});

/** Returns language and direction at the first paint, with these settings. */
function firstPaint(stored: string | null, languages: string[]): [string, string] {
  const root = { lang: 'en', dir: 'ltr', dataset: { theme: '' } };
  runInNewContext(scriptWith('first paint'), {
    document: { documentElement: root },
    localStorage: {
      getItem: (name: string) => ({ language: stored, theme: 'light' })[name] ?? null,
    },
    navigator: { languages },
    console,
  });
  return [root.lang, root.dir];
}

test('the first paint uses the language that the app will choose', () => {
  expect(firstPaint('ar', ['he'])).toEqual(['ar', 'rtl']);
  expect(firstPaint('en', ['he'])).toEqual(['en', 'ltr']);
  expect(firstPaint('xx', ['fr-FR', 'he-IL', 'ar'])).toEqual(['he', 'rtl']);
  expect(firstPaint(null, ['fr'])).toEqual(['en', 'ltr']);
});

test.each([browserCheck, startCheck])(
  'the script is before the module that starts the app',
  (script) => {
    expect(script).not.toBe('');
    expect(page.indexOf(script)).toBeLessThan(page.indexOf('type="module"'));
  },
);
