// Tests that every export is imported somewhere. Otherwise it is dead code, or need not be exported.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDERS = ['app', 'bench', 'e2e', 'scripts', 'server', 'shared', 'supabase', 'testing'];
/** Exempt files: generated ones, and declarations that a runtime or tool uses by name. */
const NOT_OURS = /\.gen\.ts$|\.d\.ts$|^shared\/(database\.types|enums)\.ts$/;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter(
      (file) => /\.(ts|tsx|mjs)$/.test(file) && !/(^|\/)(dist|build|node_modules)\//.test(file),
    ),
).map((file) => ({ file, source: readFileSync(path.join(ROOT, file), 'utf8') }));

test('every export is named by another file', () => {
  const mentions = new Map<string, number>();
  for (const { source } of files)
    for (const word of new Set(source.match(/[\w$]+/g)))
      mentions.set(word, (mentions.get(word) ?? 0) + 1);
  const lonely = files
    .filter(({ file }) => !NOT_OURS.test(file))
    .flatMap(({ file, source }) =>
      parseSync(file, source)
        .module.staticExports.flatMap(({ entries }) => entries)
        .map(({ exportName: { name } }) => name)
        .filter((name) => name !== null && name !== 'default' && (mentions.get(name) ?? 0) < 2)
        .map((name) => `${file}: ${name}`),
    );
  expect(lonely).toEqual([]);
});
