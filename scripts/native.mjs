// `PACKPARK_SITE_URL=https://park.example npm run native`: builds the app for the shells, tells them which site is theirs, and syncs them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { noPush, siteFiles, siteOf } from './lib/native-site.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const APP = path.join(ROOT, 'app');

/** What Firebase gives to each platform; without it a push would have nowhere to come from. */
const FIREBASE = {
  android: 'android/app/google-services.json',
  ios: 'ios/App/App/GoogleService-Info.plist',
};
/** The app inside each shell. */
const COPIES = ['android/app/src/main/assets/public', 'ios/App/App/public'];

function run(file, args, cwd) {
  execFileSync(process.execPath, [path.join(ROOT, file), ...args], { cwd, stdio: 'inherit' });
}

let site;
try {
  site = siteOf(process.env.PACKPARK_SITE_URL);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const xcodeProject = readFileSync(path.join(APP, 'ios/App/App.xcodeproj/project.pbxproj'), 'utf8');
const push = {};
for (const [platform, file] of Object.entries(FIREBASE)) {
  const project = platform === 'ios' ? xcodeProject : null;
  const reason = noPush(existsSync(path.join(APP, file)), file, project);
  push[platform] = reason === null;
  if (reason) console.warn(`No push on ${platform}: ${reason}`);
}

run('scripts/build.mjs', ['app'], ROOT);
for (const [file, text] of Object.entries(siteFiles(site, push)))
  writeFileSync(path.join(APP, file), text);
run('node_modules/@capacitor/cli/bin/capacitor', ['sync'], APP);

// Compressed twins serve a web host; in a shell they would only make the download larger.
for (const copy of COPIES.map((folder) => path.join(APP, folder)))
  for (const name of readdirSync(copy, { recursive: true }))
    if (/\.(br|gz)$/.test(name)) rmSync(path.join(copy, name));

console.log(`Both shells are ready for ${site.href}: see docs/native.md for building and signing.`);
