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

const records = readdirSync(path.join(root, 'docs/decisions')).filter(
  (name) => name !== 'README.md',
);

test.each(records)(
  '%s holds context, decision and consequences in 300 words, and the index lists it',
  (name) => {
    const text = read(`docs/decisions/${name}`);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(300);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
    expect(read('docs/decisions/README.md')).toContain(`](${name})`);
  },
);

test('each picture is shown by a page', () => {
  const pages = tracked.filter((file) => file.endsWith('.md')).map(read);
  const pictures = tracked.filter((file) => /^docs\/.*\.webp$/.test(file));
  expect(pictures.length).toBeLessThanOrEqual(40);
  expect(
    pictures.filter((file) => !pages.some((page) => page.includes(`${path.basename(file)})`))),
  ).toEqual([]);
});

const terms = read('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => {
    const [, term = '', hebrew = '', arabic = '', tables = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    return { term, hebrew, arabic, tables };
  });
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);

test('the glossary says terms as the app does', () => {
  for (const [language, column] of [
    ['he', 'hebrew'],
    ['ar', 'arabic'],
  ] as const) {
    const texts: string[] = Object.values(JSON.parse(read(`languages/${language}/app.json`)));
    // The desk keeps its texts beside it: nobody else downloads them.
    texts.push(read(`languages/${language}/desk.json`));
    const words = terms
      .flatMap((entry) => entry[column].split(/[,،] /))
      .filter((word) => word !== '–');
    expect(words.length).toBeGreaterThan(12);
    expect(words.filter((word) => !texts.some((text) => text.includes(word)))).toEqual([]);
  }
});

test('the glossary names tables, views and functions that exist', () => {
  const sql = tracked
    .filter((file) => /^supabase\/schemas\/.*\.sql$/.test(file))
    .map(read)
    .join('\n');
  const missing = terms
    .flatMap(({ tables }) => codes(tables))
    .filter(
      (name) =>
        !new RegExp(`create (?:table|view|function) ${name?.replace('.', '\\.')}\\b`).test(sql),
    );
  expect(missing).toEqual([]);
});
