// Bundles a server module to a temporary file and imports it, because benchmarks run on plain Node.
import { mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * @param file path below the repository, such as `server/src/host/db/cluster.ts`
 * @returns the module's exports
 */
export async function importServerCode<Module>(file: string): Promise<Module> {
  const bundle = await rolldown({
    input: path.join(ROOT, file),
    platform: 'node',
    external: (id) => !/^(\.|\/|#\/|node:)/.test(id) && !path.isAbsolute(id),
    resolve: { alias: { '#': path.join(ROOT, 'server/src') } },
  });
  // The bundle is written below node_modules, so that its package imports resolve.
  const modules = path.join(ROOT, 'server/node_modules');
  mkdirSync(modules, { recursive: true });
  const folder = mkdtempSync(path.join(modules, '.bench-'));
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
  });
  await bundle.close();
  return import(pathToFileURL(path.join(folder, output[0].fileName)).href);
}
