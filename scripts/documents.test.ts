// The documents stay true where a machine can tell: links lead somewhere, and forms, words and places are kept.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(path.join(root, file)));

test('every relative link of a document leads to a file or folder', () => {
  const broken = tracked
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...read(file).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
        .filter(([, target]) => !existsSync(path.resolve(root, path.dirname(file), target ?? '')))
        .map(([, target]) => `${file}: ${target}`),
    );
  expect(broken).toEqual([]);
});

test('every document that the code names exists', () => {
  const broken = tracked
    .filter((file) => /\.(tsx?|m?js|sql|css)$/.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[\w/-]+\.md\b/g)]
        .filter(([target]) => !existsSync(path.join(root, target)))
        .map(([target]) => `${file}: ${target}`),
    );
  expect(broken).toEqual([]);
});

test('the changelog has the sections of Keep a Changelog and one line a change', () => {
  const form =
    /^$|^- .+|^## \[(Unreleased|\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d)|^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/;
  const lines = read('CHANGELOG.md').split('\n');
  const body = lines.slice(lines.findIndex((line) => line.startsWith('## ')));
  expect(body.filter((line) => line.length > 160)).toEqual([]);
  // The one sentence below a version says what it is.
  const others = body.filter((line) => !form.test(line) && !/^[A-Z][^.]+\.$/.test(line));
  expect(others).toEqual([]);
});

test.each([
  ['docs/security.md', 80],
  ['docs/screens/README.md', 24],
])('every test that %s names is there', (page, least) => {
  const oneLine = (text: string) => text.replace(/\\(['"`])/g, '$1').replace(/\s+/g, ' ');
  const rows = read(page)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , files]) => files?.includes('.ts'));
  expect(rows.length).toBeGreaterThan(least);
  const missing = rows.flatMap(([, row, files = '', titles = '']) => {
    // After the first file of a row others of its folder stand with their names only.
    const [first = '', ...others] = files.replace(/ \(.*\)$/, '').split(', ');
    const paths = others.map((file) =>
      file.includes('/') ? file : `${path.dirname(first)}/${file}`,
    );
    const code = oneLine([first, ...paths].map(read).join('\n'));
    return titles
      .split(/; |…/)
      .map((title) => title.replace(/^[\s,]+|[\s,]+$/g, ''))
      .filter((title) => !code.includes(title))
      .map((title) => `${row}: ${title}`);
  });
  expect(missing).toEqual([]);
});

const records = readdirSync(path.join(root, 'docs/decisions')).filter((name) => /^\d/.test(name));

test('no two decision records have the same number', () => {
  const numbers = records.map((name) => name.slice(0, 3));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

test.each(records)(
  '%s holds context, decision and consequences, and the index lists it',
  (name) => {
    const text = read(`docs/decisions/${name}`);
    expect(text.split('\n').length).toBeLessThanOrEqual(61);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
    const title = /^# (.+)$/m.exec(text)?.[1];
    expect(title).toMatch(new RegExp(`^${name.slice(0, 3)} `));
    expect(read('docs/decisions/README.md')).toContain(
      `[${name.slice(0, 3)}](${name}) ${title?.slice(4)}`,
    );
  },
);

const terms = read('docs/glossary.md')
  .split(/^### /m)
  .slice(1)
  .map((entry) => {
    const [term, , line = ''] = entry.split('\n');
    const [hebrew = '', arabic = '', tables = '', folders = ''] = line.split(' · ');
    return { term, hebrew, arabic, tables, folders };
  });
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);

test('the glossary says terms as the app does', () => {
  for (const [language, column] of [
    ['he', 'hebrew'],
    ['ar', 'arabic'],
  ] as const) {
    const texts: string[] = Object.values(
      JSON.parse(read(`app/src/i18n/messages/${language}.json`)),
    );
    // The desk keeps its texts beside it: nobody else downloads them.
    texts.push(read(`app/src/features/desk/texts/${language}.ts`));
    const words = terms
      .flatMap((entry) => entry[column].split(/[,،] /))
      .filter((word) => word !== '–');
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((word) => !texts.some((text) => text.includes(word)))).toEqual([]);
  }
});

test('the glossary names tables, functions and folders that exist', () => {
  const sql = tracked
    .filter((file) => /^supabase\/.*\.sql$/.test(file))
    .map(read)
    .join('\n');
  const missing = terms.flatMap(({ tables, folders }) => [
    ...codes(tables).filter(
      (name) =>
        !new RegExp(
          `create (?:or replace )?(?:table|view|function) ${name?.replace('.', '\\.')}\\b`,
        ).test(sql),
    ),
    ...codes(folders).filter((folder) => !existsSync(path.join(root, folder ?? ''))),
  ]);
  expect(missing).toEqual([]);
});
