// `npm run i18n:check`: the catalogues say the same, in the words and the plural forms of each language, and the code uses all of it.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { catalogueProblems, unusedAndMissing } from './lib/catalogue-problems.ts';
import { deskProblems, type Texts } from './lib/desk-texts.ts';
import { keysInSource } from './lib/message-keys.ts';

const root = path.resolve(import.meta.dirname, '../app/src');

const languages = readdirSync(path.join(root, 'i18n/messages')).map(
  (file) => path.parse(file).name,
);

const readCatalogues = <Catalogue>(folder: string): Record<string, Catalogue> =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      JSON.parse(readFileSync(path.join(root, folder, `${language}.json`), 'utf8')),
    ]),
  );

const catalogues = readCatalogues<Record<string, string>>('i18n/messages');

const english = Object.keys(catalogues.en ?? {});

const deskTexts = readCatalogues<Texts>('features/desk/texts');

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.gen\.ts$|\.d\.ts$/.test(file))
  .map((file) => ({ file, source: readFileSync(path.join(root, file), 'utf8') }));

const problems = [
  ...catalogueProblems(catalogues),
  ...unusedAndMissing(
    english,
    sources.map(({ file, source }) => keysInSource(file, source)),
  ),
  ...deskProblems(
    deskTexts,
    sources.filter(({ file }) => file.startsWith('features/desk/')),
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${english.length} texts in ${languages.length} languages are in order`);
