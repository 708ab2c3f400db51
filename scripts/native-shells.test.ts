// Tests the files of the native projects, because they cannot be compiled here: manifest, entitlements, property lists, texts,
// images and the Xcode project.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../shared/languages.ts';
import { words } from '../testing/seeded.ts';

/** The untyped result of a generic parser. */
// oxlint-disable-next-line typescript/no-explicit-any
type Parsed = any;

const require = createRequire(import.meta.url);
const plist: { parse(text: string): Parsed } = require('plist');
const xcode: { project(file: string): { parseSync(): Parsed } } = require('xcode');

const APP = path.resolve(import.meta.dirname, '../app');
const MAIN = path.join(APP, 'android/app/src/main');
const IOS = path.join(APP, 'ios/App');
const ID = 'app.packpark';

const LISTS = words('intent-filter data category uses-permission uses-feature string meta-data');

const read = (...parts: string[]) => readFileSync(path.join(...parts), 'utf8');
const xml = (...parts: string[]): Parsed =>
  new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => LISTS.includes(name),
  }).parse(read(...parts));

const config = read(APP, 'capacitor.config.ts');

test('neither shell can be installed on systems that cannot run the built app', () => {
  const safari = /'safari([\d.]+)'/.exec(read(APP, 'vite.config.ts'))?.[1];
  const wanted = read(IOS, 'App.xcodeproj/project.pbxproj').matchAll(
    /IPHONEOS_DEPLOYMENT_TARGET = ([\d.]+);/g,
  );
  expect([...new Set([...wanted].map(([, version]) => version))]).toEqual([safari]);
  // On Android 6 and 7, the newest web views are versions 106 and 119, which are too old for the app.
  const sdk = /minSdkVersion = (\d+)/.exec(read(APP, 'android/variables.gradle'))?.[1];
  expect(Number(sdk)).toBeGreaterThanOrEqual(24);
  expect(read(APP, '../docs/native.md')).toContain(`(API ${sdk})`);
  expect(read(APP, '../docs/native.md')).toContain(`iOS ${safari}`);
});

test('both shells and the host use the same app ID', () => {
  expect(config).toContain(`appId: '${ID}'`);
  expect(read(APP, 'android/app/build.gradle')).toContain(`applicationId "${ID}"`);
  expect(read(APP, '../server/src/product/settings.ts')).toContain(`'${ID}'`);
});

const { manifest } = xml(MAIN, 'AndroidManifest.xml');
const { application } = manifest;
const filters = application.activity['intent-filter'].filter(
  (filter: Parsed) => filter.action['android:name'] === 'android.intent.action.VIEW',
);
const attributes = (entries: Parsed[], name: string): string[] =>
  entries
    .map((entry) => entry[`android:${name}`])
    .filter(Boolean)
    .sort();
const strings: Record<string, string> = Object.fromEntries(
  xml(MAIN, 'res/values/strings.xml').resources.string.map((entry: Parsed) => [
    entry.name,
    entry['#text'],
  ]),
);

test('android: requests exactly the permissions it uses', () => {
  expect(attributes(manifest['uses-permission'], 'name')).toEqual(
    words(
      'ACCESS_COARSE_LOCATION ACCESS_FINE_LOCATION ACCESS_NETWORK_STATE INTERNET POST_NOTIFICATIONS',
    ).map((name) => `android.permission.${name}`),
  );
  // No feature is required, so that phones without GPS or a camera can install the app.
  for (const feature of manifest['uses-feature'])
    expect(feature['android:required'], feature['android:name']).toBe('false');
});

test('android: packpark:// opens it, and device backups do not include the session', () => {
  expect(application['android:allowBackup']).toBe('false');
  const own = filters.find(({ data }: Parsed) => attributes(data, 'scheme')[0]?.startsWith('@'));
  expect(attributes(own.category, 'name')).toEqual([
    'android.intent.category.BROWSABLE',
    'android.intent.category.DEFAULT',
  ]);
  expect(strings.custom_url_scheme).toBe('packpark');
});

test('android: the site’s links open it once Android has verified the site', () => {
  const site = filters.find(({ data }: Parsed) => attributes(data, 'host').length > 0);
  expect(site['android:autoVerify']).toBe('true');
  expect(attributes(site.data, 'scheme')).toEqual(['https']);
  expect(attributes(site.data, 'host')).toEqual(['${siteHost}']);
  expect(read(APP, 'android/app/build.gradle')).toMatch(/manifestPlaceholders = \[siteHost: /);
});

test('android: pushes without a channel use the default one', () => {
  const name = 'com.google.firebase.messaging.default_notification_channel_id';
  const meta = application['meta-data'].find((entry: Parsed) => entry['android:name'] === name);
  expect(meta['android:value']).toBe('@string/notification_channel');
  expect(strings.notification_channel).toBe('default');
});

test.each(Object.entries({ mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 }))(
  'android: icons for %s screens have the right sizes',
  async (density, scale) => {
    const sizes = {
      [`mipmap-${density}/ic_launcher.png`]: 48,
      [`mipmap-${density}/ic_launcher_round.png`]: 48,
      [`mipmap-${density}/ic_launcher_foreground.png`]: 108,
      [`drawable-${density}/ic_notification.png`]: 24,
    };
    for (const [file, side] of Object.entries(sizes)) {
      const { width, height } = await sharp(path.join(MAIN, 'res', file)).metadata();
      expect({ file, width, height }).toEqual({ file, width: side * scale, height: side * scale });
    }
  },
);

const info = plist.parse(read(IOS, 'App/Info.plist'));
const purposes = Object.keys(info).filter((key) => key.endsWith('UsageDescription'));
const project = xcode.project(path.join(IOS, 'App.xcodeproj/project.pbxproj')).parseSync();

const stringsOf = (language: string): Record<string, string> =>
  Object.fromEntries(
    [...read(IOS, `App/${language}.lproj/InfoPlist.strings`).matchAll(/^(\w+) = "(.*)";$/gm)].map(
      ([, key, text]) => [key, text],
    ),
  );

/** The build settings of the app target, for Debug and Release. */
const builds: Parsed[] = Object.values(project.pbxXCBuildConfigurationSection()).filter(
  (entry: Parsed) => entry.buildSettings?.PRODUCT_BUNDLE_IDENTIFIER,
);

test('ios: has a text for exactly the permissions it may request', () => {
  expect(purposes.sort()).toEqual([
    'NSCameraUsageDescription',
    'NSLocationWhenInUseUsageDescription',
    'NSPhotoLibraryAddUsageDescription',
    'NSPhotoLibraryUsageDescription',
  ]);
  for (const key of purposes) expect(info[key].length, key).toBeGreaterThan(40);
});

test.each(LANGUAGE_CODES)('ios: the texts exist in %s', (language) => {
  const { script } = new Intl.Locale(language).maximize();
  const texts = stringsOf(language);
  expect(Object.keys(texts).sort()).toEqual(['CFBundleDisplayName', ...purposes]);
  for (const key of purposes)
    expect(texts[key], key).toMatch(new RegExp(`\\p{Script=${script}}{3}`, 'u'));
  if (language === 'en') for (const key of purposes) expect(info[key]).toBe(texts[key]);
  expect(info.CFBundleLocalizations).toContain(language);
  expect(project.getFirstProject().firstProject.knownRegions).toContain(language);
});

test('ios: the texts are bundled with the app', () => {
  const [resources]: Parsed[] = Object.values(project.hash.project.objects.PBXResourcesBuildPhase);
  expect(resources.files.map((file: Parsed) => file.comment)).toContain(
    'InfoPlist.strings in Resources',
  );
  const group: Parsed = Object.values(project.hash.project.objects.PBXVariantGroup).find(
    (entry: Parsed) => entry.name === 'InfoPlist.strings',
  );
  expect(group.children.map((child: Parsed) => child.comment).sort()).toEqual(
    [...LANGUAGE_CODES].sort(),
  );
});

test('ios: packpark:// opens it, and both builds are entitled to the site’s links and to pushes', () => {
  const [type, ...others] = info.CFBundleURLTypes;
  expect([type.CFBundleURLSchemes, others]).toEqual([['packpark'], []]);
  const entitlements = plist.parse(read(IOS, 'App/App.entitlements'));
  expect(entitlements).toEqual({
    'aps-environment': 'development',
    'com.apple.developer.associated-domains': ['applinks:$(PACKPARK_SITE_HOST)'],
  });
  expect(builds.map((entry) => entry.name).sort()).toEqual(['Debug', 'Release']);
  for (const { buildSettings, baseConfigurationReference_comment: file } of builds) {
    expect(buildSettings.CODE_SIGN_ENTITLEMENTS).toBe('App/App.entitlements');
    expect(buildSettings.PRODUCT_BUNDLE_IDENTIFIER).toBe(ID);
    expect(read(APP, 'ios', file)).toContain('#include "site-default.xcconfig"');
  }
  expect(read(APP, 'ios/site-default.xcconfig')).toMatch(/^PACKPARK_SITE_HOST = \S+$/m);
});

test('ios: hands push tokens and links to Capacitor', () => {
  const delegates = read(IOS, 'App/AppDelegate.swift') + read(IOS, 'App/SceneDelegate.swift');
  for (const name of [
    'didRegisterForRemoteNotificationsWithDeviceToken',
    'didFailToRegisterForRemoteNotificationsWithError',
    'capacitorDidRegisterForRemoteNotifications',
    'capacitorDidFailToRegisterForRemoteNotifications',
    'SceneDelegateProxy.shared.scene(scene, willConnectTo',
    'SceneDelegateProxy.shared.scene(scene, openURLContexts',
    'SceneDelegateProxy.shared.scene(scene, continue',
  ])
    expect(delegates).toContain(name);
  // The app must post Firebase's token, because the host cannot use Apple's token.
  const posted = read(IOS, 'App/AppDelegate.swift').match(
    /(?<=name: \.capacitorDidRegisterForRemoteNotifications, object: )\w+/g,
  );
  expect(posted).toEqual(['token']);
});

test('ios: every image that a catalogue names exists; the icon is opaque, as the App Store requires', async () => {
  const assets = path.join(IOS, 'App/Assets.xcassets');
  for (const folder of readdirSync(assets).filter((name) => name.endsWith('set'))) {
    const { images } = JSON.parse(read(assets, folder, 'Contents.json'));
    for (const { filename, size } of images) {
      const { width, hasAlpha } = await sharp(path.join(assets, folder, filename)).metadata();
      if (size) expect({ width, hasAlpha }).toEqual({ width: 1024, hasAlpha: false });
      else expect(width).toBe(2732);
    }
  }
});
