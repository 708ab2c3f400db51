// Vite plugin: compiles each ICU catalogue (src/i18n/messages/<language>.json) to functions, so that no parser reaches a phone.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import MessageFormat from '@messageformat/core';
import compileModule from '@messageformat/core/compile-module.js';
import type { Plugin } from 'vite';
import { LATER } from '../src/i18n/later.ts';

const SOURCE = /\/i18n\/messages\/[a-z]{2}\.json\?(catalogue|later)$/;

// Another ending than .json: the dev server does not look for imports in JSON, and compiled plurals import a runtime.
const CATALOGUE = /\/i18n\/messages\/([a-z]{2})\.(catalogue|later)\.js$/;

const RUNTIME = path.resolve(import.meta.dirname, '../src/i18n/message-runtime.ts');

/** The source of an ES module whose default export maps each key to `(args) => text`. */
const compileCatalogue = (language: string, messages: Record<string, string>): string =>
  compileModule(new MessageFormat(language), messages);

/** Answers `messages/xx.json?catalogue` and `?later` with modules of functions, each text in one of them. */
export function catalogues(): Plugin {
  return {
    name: 'packpark:catalogues',
    enforce: 'pre',
    resolveId: {
      filter: { id: [SOURCE, /^@messageformat\/runtime$/] },
      async handler(source, importer, { scan }) {
        if (!SOURCE.test(source)) return importer && CATALOGUE.test(importer) ? RUNTIME : null;
        // The dev server's look for packages loads files by itself, and this one is none: NUL says so.
        if (scan) return `\0${source}`;
        const resolved = await this.resolve(source, importer, { skipSelf: true });
        return resolved && resolved.id.replace(/\.json\?(catalogue|later)$/, '.$1.js');
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
        const texts = Object.entries(messages).filter(
          ([key]) => LATER.test(key) === (part === 'later'),
        );
        return { code: compileCatalogue(language, Object.fromEntries(texts)), moduleType: 'js' };
      },
    },
  };
}
