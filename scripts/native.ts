// `PACKPARK_SITE_URL=https://park.example npm run native`: builds the app for the native shells, sets the URL of their site, and
// copies the app into them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from '../server/bin/build.mjs';
import { nodeFor } from './lib/other-node.ts';
import { noPush, siteFiles, siteOf } from './lib/native-site.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const APP = path.join(ROOT, 'app');

/** Firebase's configuration file of each platform, which pushes need. */
const FIREBASE = {
  android: 'android/app/google-services.json',
  ios: 'ios/App/App/GoogleService-Info.plist',
};
/** The folders of the shells that contain a copy of the app. */
const COPIES = ['android/app/src/main/assets/public', 'ios/App/App/public'];

let site: URL;
try {
  site = siteOf(process.env.PACKPARK_SITE_URL);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const xcodeProject = readFileSync(path.join(APP, 'ios/App/App.xcodeproj/project.pbxproj'), 'utf8');
const push = { android: false, ios: false };
for (const platform of ['android', 'ios'] as const) {
  const file = FIREBASE[platform];
  const project = platform === 'ios' ? xcodeProject : null;
  const reason = noPush(existsSync(path.join(APP, file)), file, project);
  push[platform] = reason === null;
  if (reason) console.warn(`No push on ${platform}: ${reason}`);
}

if (!(await build('app', 'inherit'))) process.exit(1);
for (const [file, text] of Object.entries(siteFiles(site, push)))
  writeFileSync(path.join(APP, file), text);
execFileSync(
  await nodeFor(22),
  [path.join(ROOT, 'node_modules/@capacitor/cli/bin/capacitor'), 'sync'],
  { cwd: APP, stdio: 'inherit' },
);

// The precompressed files are removed: only a web server uses them, and they would make the download of the shell larger.
for (const copy of COPIES.map((folder) => path.join(APP, folder)))
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
    if (/\.(br|gz)$/.test(name)) rmSync(path.join(copy, name));

console.log(`Both shells are ready for ${site.href}: see docs/native.md for building and signing.`);
