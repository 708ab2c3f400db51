// Computes the size of one module in the built app, bundled and minified alone or together with named modules. All other modules
// are external.
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { ROOT } from './server-code.ts';

/**
 * Returns the bytes of JavaScript and CSS (brotli 11).
 * @param entries files below app/src that are bundled together
 * @param inside parts of the IDs of further modules whose code is counted
 */
export async function bundleSize(entries: string[], inside: string[] = []): Promise<number> {
  const files = entries.map((entry) => path.join(ROOT, 'app/src', entry));
  const counts = (id: string) =>
    files.includes(id) || id.endsWith('.css') || inside.some((part) => id.includes(part));
  const built = [
    await build({
      configFile: false,
      root: path.join(ROOT, 'app'),
      logLevel: 'error',
      resolve: { alias: { '#': path.join(ROOT, 'app/src') } },
      plugins: [
        react(),
        {
          name: 'only-these',
          enforce: 'pre',
          async resolveId(source, importer) {
            if (!importer) return null;
            const resolved = await this.resolve(source, importer, { skipSelf: true });
            return resolved && counts(resolved.id) ? resolved : { id: source, external: true };
          },
        },
      ],
      build: {
        write: false,
        minify: true,
        rolldownOptions: {
          input: files,
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: '[name].js' },
        },
      },
    }),
  ].flat()[0];
  if (!built || !('output' in built)) throw new Error('Vite watches instead of building.');
  return built.output
    .map((file) => Buffer.from(file.type === 'chunk' ? file.code : file.source))
    .map((bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
    .reduce((sum, bytes) => sum + bytes.length, 0);
}
