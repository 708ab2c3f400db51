// Tests that comments in SQL follow the rule that the linter applies to TypeScript.
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

test('the rule finds the habits and accepts ordinary sentences', () => {
  for (const text of [
    'What SQL must know.',
    'Closes it. Of these, three stay.',
    'It is no error.',
    'Read anew.',
  ])
    expect(languageProblem(text), text).not.toBeNull();
  for (const text of ['Settings that SQL needs.', 'Returns who is at the park.', 'Often used.'])
    expect(languageProblem(text), text).toBeNull();
  expect(sqlComments("-- One\n-- two\ncomment on table a is\n  'It''s '\n  'one.';\n")).toEqual([
    'One two',
    "It's one.",
  ]);
});

test('comments in SQL avoid the habits that make prose hard to read', () => {
  const files = execFileSync(
    'git',
    ['ls-files', 'supabase/schemas', 'supabase/seed*', 'server/src/**/*.sql'],
    { cwd: ROOT, encoding: 'utf8' },
  )
    .trim()
    .split('\n')
    .filter((file) => file.endsWith('.sql'));
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    sqlComments(readFileSync(path.join(ROOT, file), 'utf8'))
      .map((text) => [text.includes('\n') ? 'line break in' : languageProblem(text), text])
      .filter(([problem]) => problem !== null)
      .map(([problem, text]) => `${file}: ${problem} ${text}`),
  );
  expect(found).toEqual([]);
});
