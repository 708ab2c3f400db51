// `npm run i18n:check`: checks that all languages have the same keys and placeholders and the plural forms of the language,
// that the code uses every key, and that English apostrophes are curly.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGE_CODES } from '../shared/languages.ts';
import { catalogueProblems, unusedAndMissing } from './lib/catalogue-problems.ts';
import { deskProblems, flat, type Texts } from './lib/desk-texts.ts';
import { keysInSource } from './lib/message-keys.ts';

const folder = path.resolve(import.meta.dirname, '../languages');
const root = path.resolve(import.meta.dirname, '../app/src');

const read = <Catalogue>(file: string): Record<string, Catalogue> =>
  Object.fromEntries(
    LANGUAGE_CODES.map((language) => [
      language,
      JSON.parse(readFileSync(path.join(folder, language, file), 'utf8')) as Catalogue,
    ]),
  );

/** Returns keys that a language lacks in a file whose texts are not ICU messages. */
const lacking = (file: string) =>
  Object.entries(read<Texts>(file)).flatMap(([language, texts], _, [[, english] = ['', {}]]) => {
    const own = flat(texts);
    return Object.keys(flat(english))
      .filter((key) => own[key] === undefined)
      .map((key) => `${language}/${file}: ${key} is missing`);
  });

/** Keys of texts that the specification quotes with a straight apostrophe. */
const QUOTED = ['places.search.notFound', 'ui.neverAgain', 'users.search.gate'];

/** Returns English texts with a straight apostrophe instead of a curly one. */
const straightApostrophes = () =>
  readdirSync(path.join(folder, 'en'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      readFileSync(path.join(folder, 'en', file), 'utf8')
        .split('\n')
        .filter((line) => line.includes("'") && !QUOTED.some((key) => line.includes(`"${key}"`)))
        .map((line) => `en/${file}: ${line.trim()} has a straight apostrophe instead of ’`),
    );

const catalogues = read<Record<string, string>>('app.json');

const english = Object.keys(catalogues.en ?? {});

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.gen\.ts$|\.d\.ts$/.test(file))
  .map((file) => ({ file, source: readFileSync(path.join(root, file), 'utf8') }));

const problems = [
  ...readdirSync(folder)
    .filter((name) => !Object.hasOwn(catalogues, name))
    .map((name) => `languages/${name} has no line in shared/languages.ts`),
  ...catalogueProblems(catalogues),
  ...unusedAndMissing(
    english,
    sources.map(({ file, source }) => keysInSource(file, source)),
  ),
  ...deskProblems(
    read<Texts>('desk.json'),
    sources.filter(({ file }) => file.startsWith('features/desk/')),
  ),
  ...['breeds.json', 'site.json', 'auth-mails.json', 'database.json', 'native.json'].flatMap(
    lacking,
  ),
  ...straightApostrophes(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${english.length} texts in ${LANGUAGE_CODES.length} languages are in order`);
