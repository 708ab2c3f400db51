// Tests that comments outside TypeScript follow the rule that the linter applies to TypeScript.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './lib/freshness.ts';
import { languageProblem } from './lint/plain-language.ts';

/** Returns the comments of an SQL file: consecutive `--` lines as one comment, and the texts of `comment on`. */
function sqlComments(sql: string): string[] {
  const lines = [...sql.matchAll(/(?:^[ \t]*--.*\n?)+|(?<=\S)[ \t]+-- .*$/gm)].map(([block]) =>
    block
      .replaceAll(/^\s*--\s?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const described = [...sql.matchAll(/^comment on [^']*? is\s+((?:'(?:''|[^'])*'\s*)+);/gm)].map(
    ([, literals = '']) =>
      literals
        .trim()
        .slice(1, -1)
        .replaceAll(/'\s*\n\s*'/g, '')
        .replaceAll("''", "'"),
  );
  return [...lines, ...described];
}

const trackedFiles = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');

/** Returns the problems of a file's comments. */
const problemsOf = (file: string, commentsOf: (source: string) => string[]) =>
  commentsOf(readFileSync(path.join(ROOT, file), 'utf8'))
    .map((text) => [text.includes('\n') ? 'line break in' : languageProblem(text), text])
    .filter(([problem]) => problem !== null)
    .map(([problem, text]) => `${file}: ${problem} ${text}`);

/** The formats other than SQL: their files, and their comments. Consecutive lines are one comment. */
const FORMATS: [files: RegExp, comments: RegExp][] = [
  [
    /\.(?:ya?ml|toml|service|timer|example)$|Dockerfile|^\.ci\/|\.gitattributes$/,
    /(?:^[ \t]*#(?!!).*\n?)+/gm,
  ],
  [/\.(?:css|m?js|swift|gradle|xcconfig|html)$/, /(?:^[ \t]*\/\/.*\n?)+|\/\*[^]*?\*\//gm],
  [/\.(?:html|xml|plist)$/, /<!--[^]*?-->/g],
];

const otherComments = (source: string, comments: RegExp) =>
  [...source.matchAll(comments)].map(([block]) =>
    block
      .replaceAll(/^[ \t]*(?:#|\/\/|\/?\*+)|\*\/|<!--|-->/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

test('the rule finds the habits and accepts ordinary sentences', () => {
  for (const text of [
    'What SQL must know.',
    'Closes it. Of these, three stay.',
    'It is no error.',
    'Read anew.',
    'Not used any more.',
  ])
    expect(languageProblem(text), text).not.toBeNull();
  for (const text of [
    'Settings that SQL needs.',
    'Returns who is at the park.',
    'Often used.',
    'It is no longer used.',
  ])
    expect(languageProblem(text), text).toBeNull();
  expect(sqlComments("-- One\n-- two\ncomment on table a is\n  'It''s '\n  'one.';\n")).toEqual([
    'One two',
    "It's one.",
  ]);
});

test('comments in SQL avoid the habits that make prose hard to read', () => {
  const files = trackedFiles('supabase/schemas', 'supabase/seed*', 'server/src/**/*.sql').filter(
    (file) => file.endsWith('.sql'),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => problemsOf(file, sqlComments))).toEqual([]);
});

test.each(FORMATS)('comments in files like %s avoid these habits, too', (pattern, comments) => {
  const files = trackedFiles().filter((file) => pattern.test(file));
  expect(files.length).toBeGreaterThan(4);
  expect(
    files.flatMap((file) => problemsOf(file, (source) => otherComments(source, comments))),
  ).toEqual([]);
});
