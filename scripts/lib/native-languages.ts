// What the iOS shell says when it asks, in each language: its files, and their places in the Xcode project.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGE_CODES } from '../../shared/languages.ts';
import { ROOT } from './freshness.ts';

const APP = path.join(ROOT, 'app/ios/App');

/** A name that Xcode wants of each file: any other would do. */
const idOf = (code: string) => `50C0DE${Buffer.from(code).toString('hex').padStart(18, '0')}`;

function replace(file: string, pattern: RegExp, write: (code: string) => string): void {
  const name = path.join(APP, file);
  const text = readFileSync(name, 'utf8');
  if (!pattern.test(text)) throw new Error(`${file} has no place for languages.`);
  writeFileSync(
    name,
    text.replace(pattern, () => LANGUAGE_CODES.map((code) => `${write(code)}\n`).join('')),
  );
}

export function writeNativeTexts(): void {
  for (const code of LANGUAGE_CODES) {
    const file = path.join(ROOT, `languages/${code}/native.json`);
    const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    const lines = Object.entries({ CFBundleDisplayName: 'Packpark', ...texts }).map(
      ([key, text]) => `${key} = ${JSON.stringify(text)};\n`,
    );
    const folder = path.join(APP, `App/${code}.lproj`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'InfoPlist.strings'),
      `/* Why the app asks: what iOS shows in its questions. */\n${lines.join('')}`,
    );
  }
  const project = 'App.xcodeproj/project.pbxproj';
  replace(
    project,
    /(\t\t50C0DE\w+ \/\* \w\w \*\/ = .*\n)+/,
    (code) =>
      `\t\t${idOf(code)} /* ${code} */ = {isa = PBXFileReference; lastKnownFileType = text.plist.strings; name = ${code}; path = ${code}.lproj/InfoPlist.strings; sourceTree = "<group>"; };`,
  );
  replace(
    project,
    /(\t{4}50C0DE\w+ \/\* \w\w \*\/,\n)+/,
    (code) => `\t\t\t\t${idOf(code)} /* ${code} */,`,
  );
  replace(project, /(?<=knownRegions = \(\n\t+Base,\n)(\t+\w\w,\n)+/, (code) => `\t\t\t\t${code},`);
  replace(
    'App/Info.plist',
    /(?<=CFBundleLocalizations<\/key>\n\t<array>\n)(\t\t<string>\w\w<\/string>\n)+/,
    (code) => `\t\t<string>${code}</string>`,
  );
}
