// Vite plugin: bundles src/offline/service-worker/sw.ts as /sw.js and writes into it which files of this build it has to keep.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Plugin } from 'vite';
import { LANGUAGES } from '../src/i18n/languages.ts';

/** Only one language is ever used: its texts are kept when they are used, as are fonts. */
const ANY = Object.keys(LANGUAGES).join('|');
const OF_ONE_LANGUAGE = new RegExp(`^(?:${ANY})[-.]|catalogue|breeds?-|/(?:${ANY})-`);

/** What only a native shell runs, which has no service worker. */
const OF_SHELLS = /^native[-.]/;

const SERVICE_WORKER = 'sw';

/** Which files of a build are kept from the start: all code and styles, except for what belongs to one language. */
export function filesToKeep(names: readonly string[]): string[] {
  return names
    .filter((name) => /^assets\/.*\.(?:js|css)$/.test(name))
    .filter((name) => !OF_ONE_LANGUAGE.test(path.basename(name)))
    .filter((name) => !OF_SHELLS.test(path.basename(name)))
    .map((name) => `/${name}`)
    .sort();
}

/** Fails the build where src/offline/service-worker/sw.ts gave no worker. */
export function serviceWorker(): Plugin {
  return {
    name: 'packpark:service-worker',
    apply: 'build',
    enforce: 'post',
    config: (config) => ({
      build: {
        rolldownOptions: {
          input: {
            main: path.join(config.root ?? '.', 'index.html'),
            [SERVICE_WORKER]: path.join(config.root ?? '.', 'src/offline/service-worker/sw.ts'),
          },
          output: {
            entryFileNames: ({ name }) =>
              name === SERVICE_WORKER ? 'sw.js' : 'assets/[name]-[hash].js',
          },
        },
      },
    }),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle['sw.js'];
        const main = Object.values(bundle).find(
          (output) => output.type === 'chunk' && output.isEntry && output.name === 'main',
        );
        if (worker?.type !== 'chunk' || !main) this.error('The build has no service worker');
        const files = [...filesToKeep(Object.keys(bundle)), '/icon.svg', '/manifest.webmanifest'];
        const page = bundle['index.html'];
        const version = createHash('sha256')
          .update(JSON.stringify(files))
          .update(page?.type === 'asset' ? page.source : '')
          .update(worker.code)
          .digest('hex')
          .slice(0, 12);
        const onUse = Object.keys(bundle)
          .filter((name) => /^assets\/.*\.(?:js|woff2)$/.test(name))
          .map((name) => `/${name}`)
          .filter((name) => !files.includes(name));
        const value = JSON.stringify({ version, files, onUse, entry: main.fileName });
        worker.code = worker.code.replaceAll('__PRECACHE__', () => `(${value})`);
      },
    },
  };
}
