// Vite plugin: bundles src/offline/service-worker/sw.ts as /sw.js and inserts the list of files to precache.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/**
 * Files that are cached when they are first used instead of precached: translations and fonts of one language, the code of native
 * apps, which have no service worker, and the vector map, which most sites do not have.
 */
const ON_USE =
  /^assets\/(?:[a-z]{2}\.(?:app|breeds|desk)|(?:native|vector-map|render-worker|offline-map)[-.])/;

const FILE = 'sw.js';

/** Files to precache: all code and styles except those in ON_USE. */
export const filesToKeep = (names: readonly string[]): string[] =>
  names
    .filter((name) => /^assets\/.*\.(?:js|css)$/.test(name) && !ON_USE.test(name))
    .map((name) => `/${name}`)
    .sort();

/** The worker as a single script, built separately, because it must not import the app's chunks. */
async function workerCode(config: ResolvedConfig): Promise<string> {
  const built = await build({
    configFile: false,
    root: config.root,
    logLevel: 'warn',
    resolve: { alias: config.resolve.alias },
    build: {
      write: false,
      copyPublicDir: false,
      target: config.build.target,
      rolldownOptions: {
        input: path.join(config.root, 'src/offline/service-worker/sw.ts'),
        output: { format: 'iife', entryFileNames: FILE },
      },
    },
  });
  const [chunk] = 'output' in built ? built.output : [];
  return chunk?.code ?? '';
}

/** Fails the build if src/offline/service-worker/sw.ts produced no worker. */
export function serviceWorker(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'packpark:service-worker',
    apply: 'build',
    enforce: 'post',
    configResolved(resolved) {
      config = resolved;
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const code = await workerCode(config);
        const main = Object.values(bundle).find(
          (output) => output.type === 'chunk' && output.isEntry && output.name === 'main',
        );
        if (code === '' || !main) this.error('The build has no service worker');
        const files = [...filesToKeep(Object.keys(bundle)), '/icon.svg', '/manifest.webmanifest'];
        const page = bundle['index.html'];
        const version = createHash('sha256')
          .update(JSON.stringify(files))
          .update(page?.type === 'asset' ? page.source : '')
          .update(code)
          .digest('hex')
          .slice(0, 12);
        const onUse = Object.keys(bundle)
          .filter((name) => /^assets\/.*\.(?:js|css|woff2)$/.test(name))
          .map((name) => `/${name}`)
          .filter((name) => !files.includes(name));
        const value = JSON.stringify({ version, files, onUse, entry: main.fileName });
        this.emitFile({
          type: 'asset',
          fileName: FILE,
          source: code.replaceAll('__PRECACHE__', () => `(${value})`),
        });
      },
    },
  };
}
