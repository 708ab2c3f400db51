// Comments in SQL follow the rule that the linter applies to TypeScript.
import { expect, test } from 'vitest';
import { languageProblem } from './lint/plain-language.ts';

/** The comments of an SQL file: consecutive `--` lines as one, and the texts of `comment on`. */
function sqlComments(sql: string): string[] {
  const lines = [...sql.matchAll(/(?:^[ \t]*--.*\n?)+|(?<=\S)[ \t]+-- .*$/gm)].map(([block]) =>
    block
      .replaceAll(/^\s*--\s?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const described = [...sql.matchAll(/^comment on [^']*? is\s+'((?:''|[^'])*)'/gm)].map(
    ([, text = '']) => text.replaceAll("''", "'"),
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
  expect(sqlComments("-- One\n-- two\ncomment on table a is 'It''s';\n")).toEqual([
    'One two',
    "It's",
  ]);
});
