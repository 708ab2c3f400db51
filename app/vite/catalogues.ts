// Vite plugin: compiles each ICU catalogue (languages/<language>/app.json) to functions, so phones need no parser, and inserts the
// start-up messages into index.html.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import MessageFormat from '@messageformat/core';
import compileModule from '@messageformat/core/compile-module.js';
import type { Plugin } from 'vite';
import { LANGUAGE_CODES, LANGUAGES } from '../../shared/languages.ts';
import { LAZY } from '../src/i18n/lazy-messages.ts';

const SOURCE = /\/languages\/[a-z]{2}\/app\.json\?(catalogue|lazy)$/;

// Matches virtual modules. They are not named .json, because the dev server does not analyse imports in JSON, and compiled plurals
// import a runtime.
const CATALOGUE = /\/languages\/([a-z]{2})\/app\.(catalogue|lazy)\.js$/;

const RUNTIME = path.resolve(import.meta.dirname, '../src/i18n/message-runtime.ts');

const messagesOf = (language: string, file: string) =>
  JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, `../../languages/${language}/${file}`), 'utf8'),
  ) as Record<string, string>;

/** Inserts the messages that index.html shows before the app, in each language. */
export function startPage(html: string): string {
  const each = <Value>(of: (language: keyof typeof LANGUAGES) => Value) =>
    Object.fromEntries(LANGUAGE_CODES.map((code) => [code, of(code)]));
  const values = {
    DIRECTIONS: each((code) => LANGUAGES[code].direction),
    UNSUPPORTED_BROWSER: `<main class="start-message">${LANGUAGE_CODES.map(
      (code) =>
        `<p lang="${code}" dir="${LANGUAGES[code].direction}">${messagesOf(code, 'site.json').unsupportedBrowser}</p>`,
    ).join('')}</main>`,
    START_MESSAGES: each((code) => {
      const messages = messagesOf(code, 'app.json');
      const unescape = (key: string) => messages[key]?.replaceAll("''", "'");
      return {
        failed: unescape('errors.offline'),
        slow: unescape('shell.pending.long'),
        retry: unescape('ui.failed.tryAgain'),
      };
    }),
  };
  return html.replaceAll(/\b(DIRECTIONS|UNSUPPORTED_BROWSER|START_MESSAGES)\b/g, (name) =>
    JSON.stringify(values[name as keyof typeof values]).replaceAll('<', '\\u003c'),
  );
}

/** Resolves `app.json?catalogue` and `?lazy` to modules of functions; each message is in one of them. */
export function catalogues(): Plugin {
  return {
    name: 'packpark:catalogues',
    enforce: 'pre',
    transformIndexHtml: startPage,
    resolveId: {
      filter: { id: [SOURCE, /^@messageformat\/runtime$/] },
      async handler(source, importer, { scan }) {
        if (!SOURCE.test(source)) return importer && CATALOGUE.test(importer) ? RUNTIME : null;
        // The dev server's dependency scan reads files directly; a NUL prefix marks this module as virtual.
        if (scan) return `\0${source}`;
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        return resolved && resolved.id.replace(/\.json\?(catalogue|lazy)$/, '.$1.js');
      },
    },
    load: {
      filter: { id: CATALOGUE },
      async handler(id) {
        const [, language, part] = CATALOGUE.exec(id) ?? [];
        if (language === undefined) return null;
        const file = path.normalize(id.replace(/\.\w+\.js$/, '.json'));
        this.addWatchFile(file);
        const messages = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
        const selected = Object.entries(messages).filter(
          ([key]) => LAZY.test(key) === (part === 'lazy'),
        );
        const code = compileModule(new MessageFormat(language), Object.fromEntries(selected));
        return { code, moduleType: 'js' };
      },
    },
  };
}
