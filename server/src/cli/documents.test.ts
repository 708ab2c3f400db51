// Tests that commands in documents are valid: each exists and accepts its options, and npm scripts and paths exist.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import type { Command } from '#/cli/command.ts';
import { ROOT } from '#/host/lib/paths.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** The code blocks and inline code of each page. */
const shown = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && existsSync(path.join(ROOT, page)))
  .flatMap((page) =>
    [...read(page).matchAll(/^ *```\w*\n(.*?)^ *```|`([^`]+)`/gms)].map(
      ([, block, inline = '']) => ({ page, block, inline: inline.replaceAll('\n', ' ') }),
    ),
  );
const names = [...read('server/src/cli/main.ts').matchAll(/import\('#\/cli\/(.+)\.ts'\)/g)].map(
  ([, name]) => name,
);

const WORDS = `(?: +(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s|&;)#]+))*`;
const ANYWHERE = new RegExp(`(?:npx |\\./|(?:exec|run --rm) packpark )packpark(${WORDS})`, 'g');
/** In inline code, `packpark ` may be omitted. */
const ALONE = new RegExp(`^(?:packpark )?((?:${names.join('|')})${WORDS})$`, 'g');

async function isRight(args: readonly string[]): Promise<boolean> {
  const [name = 'start', ...rest] = args;
  if (!names.includes(name)) return false;
  const file = path.join(import.meta.dirname, `${name}.ts`);
  const { command } = (await import(/* @vite-ignore */ file)) as { command: Command };
  const known = [...command.help.matchAll(/npx packpark [\w-]+ ([a-z]\S+)/g)].map(([, one]) => one);
  try {
    const [first] = parseArgs({
      args: rest,
      options: { ...command.options, help: { type: 'boolean' } },
      allowPositionals: true,
    }).positionals;
    return first === undefined || known.length === 0 || known.includes(first);
  } catch {
    return false;
  }
}

test('each command of packpark in a document exists and accepts its options', async () => {
  const lines = shown.flatMap(({ page, block, inline }) =>
    [...(block ?? inline).matchAll(ANYWHERE), ...inline.matchAll(ALONE)].map(
      ([all, args = '']) => ({
        line: `${page}: ${all}`,
        args: (args.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
          word.replaceAll(/["'[\]]|\.$/g, ''),
        ),
      }),
    ),
  );
  expect(lines.length).toBeGreaterThan(40);
  const right = await Promise.all(lines.map(({ args }) => isRight(args)));
  expect(lines.filter((_, index) => !right[index]).map(({ line }) => line)).toEqual([]);
});

test('each npm script and each path in a command exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const wrong = shown.flatMap(({ page, block = '', inline }) => [
    ...[...(block || inline).matchAll(/\bnpm (?:run )?([a-z][\w:]*)/g)]
      .filter(
        ([, name = '']) =>
          !(name in scripts) && !['ci', 'install', 'run', 'version'].includes(name),
      )
      .map(([all]) => `${page}: ${all}`),
    ...(block.match(/(?<=\s)(?:app|server|supabase|e2e|scripts|testing)\/[\w./-]+/g) ?? [])
      .filter((file) => !existsSync(path.join(ROOT, file)))
      .map((file) => `${page}: ${file}`),
  ]);
  expect(wrong).toEqual([]);
});
