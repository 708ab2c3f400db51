// Tests which navigation apps are offered on each device, and the URLs that open them.
import { expect, it } from 'vitest';
import { navigationAppUrl, navigationAppsFor } from '#/features/directions/navigation-apps.ts';

const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126 Mobile';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15';

it('geo: is offered on Android, and Apple Maps on other devices', () => {
  expect(navigationAppsFor(ANDROID, null)).toEqual(['waze', 'google', 'geo']);
  expect(navigationAppsFor(IPHONE, null)).toEqual(['waze', 'google', 'apple']);
});

it('the last used navigation app is first', () => {
  expect(navigationAppsFor(IPHONE, 'apple')).toEqual(['apple', 'waze', 'google']);
});

it('an unknown last app, or one that this device does not have, is ignored', () => {
  expect(navigationAppsFor(ANDROID, 'apple')[0]).toBe('waze');
  expect(navigationAppsFor(ANDROID, 'teleport')[0]).toBe('waze');
});

it.each([
  ['waze', 'https://waze.com/ul?ll=32.1,34.8&navigate=yes'],
  ['google', 'https://www.google.com/maps/dir/?api=1&destination=32.1,34.8'],
  ['apple', 'https://maps.apple.com/?daddr=32.1,34.8'],
  ['geo', 'geo:32.1,34.8?q=32.1,34.8'],
] as const)('navigationAppUrl: opens %s', (app, url) => {
  expect(navigationAppUrl(app, { lat: 32.1, long: 34.8 })).toBe(url);
});
