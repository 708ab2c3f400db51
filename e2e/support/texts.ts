// The app's messages by key, to run a test in each language.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from './test.ts';

const folder = path.resolve(import.meta.dirname, '../../languages');

/** Messages of a language without placeholders; a missing key fails the test. */
export function texts(language: Language): (key: string) => string {
  const file = path.join(folder, `${language}/app.json`);
  const catalogue = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return (key) => {
    const text = catalogue[key];
    if (text === undefined) throw new Error(`There is no text ${key} in ${language}`);
    if (text.includes('{')) throw new Error(`The text ${key} has placeholders`);
    return text.replaceAll("''", "'");
  };
}
