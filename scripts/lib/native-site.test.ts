// The sites that a native app may belong to, and the settings generated for each platform.
import { expect, test } from 'vitest';
import { noPush, siteFiles, siteOf } from './native-site.ts';

test('a site is an https origin, or this machine', () => {
  expect(siteOf('https://park.example').origin).toBe('https://park.example');
  expect(siteOf('http://localhost:3000/').origin).toBe('http://localhost:3000');
});

test.each([
  undefined,
  '',
  'park.example',
  'http://park.example',
  'https://park.example/app',
  'https://me@park.example',
  'javascript:alert(1)',
])('%s is rejected with an error that describes the expected value', (text) => {
  expect(() => siteOf(text)).toThrow(/PACKPARK_SITE_URL/);
});

test('the page, Gradle and Xcode get the same site', () => {
  const files = siteFiles(siteOf('https://park.example'), { android: true, ios: false });
  expect(JSON.parse(files['dist/site.json'] ?? '')).toEqual({
    siteUrl: 'https://park.example',
    push: { android: true, ios: false },
  });
  expect(files['android/site.properties']).toBe('host=park.example\n');
  expect(files['ios/site.xcconfig']).toBe('PACKPARK_SITE_HOST = park.example\n');
});

test("push needs Firebase's file, and on iOS the package too", () => {
  expect(noPush(true, 'google-services.json', null)).toBeNull();
  expect(noPush(false, 'google-services.json', null)).toMatch('google-services.json');
  expect(noPush(true, 'a.plist', 'FirebaseMessaging in Frameworks')).toBeNull();
  expect(noPush(true, 'a.plist', 'nothing')).toMatch('FirebaseMessaging');
  expect(noPush(false, 'a.plist', 'FirebaseMessaging in Frameworks')).toMatch('a.plist');
});
