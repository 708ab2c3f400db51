// Tests the well-known files: the links that open the native apps, and security.txt.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { ROOT } from '#/host/lib/paths.ts';
import { readSettings } from '#/product/settings.ts';
import { wellKnown } from '#/product/site/well-known.ts';

interface Filter {
  data?: Record<string, string>[];
}

function pathsOfAndroid(): string[] {
  const file = path.join(ROOT, 'app/android/app/src/main/AndroidManifest.xml');
  const { manifest } = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => name === 'intent-filter' || name === 'data',
  }).parse(readFileSync(file, 'utf8')) as {
    manifest: { application: { activity: { 'intent-filter': Filter[] } } };
  };
  return manifest.application.activity['intent-filter']
    .flatMap((filter) => filter.data ?? [])
    .flatMap((entry) => entry['android:pathPrefix'] ?? []);
}

test('both platforms open the same paths in the app', async () => {
  const response = wellKnown(
    '/.well-known/apple-app-site-association',
    readSettings({ APPLE_APP_ID: 'TEAM123456.app.packpark' }),
  );
  const { applinks } = (await (response as Response).json()) as {
    applinks: { details: { components: { '/': string }[] }[] };
  };
  const paths = applinks.details[0]?.components.map((component) => component['/']);
  expect(paths).toEqual(pathsOfAndroid().map((prefix) => `${prefix}*`));
});

test('security.txt contains the contact setting in the form of RFC 9116, and is missing without one', async () => {
  const file = '/.well-known/security.txt';
  expect(wellKnown(file, readSettings({}))).toBeNull();
  const response = wellKnown(
    file,
    readSettings({
      CONTACT_EMAIL: 'hello@parks.example',
      SITE_URL: 'https://parks.example',
      LANGUAGES: 'he,en',
    }),
  );
  expect(response?.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = ((await response?.text()) ?? '').split('\n');
  const fields = lines.flatMap((line) => (line ? [line.split(/: (.*)/).slice(0, 2)] : []));
  const { Expires, ...others } = Object.fromEntries(fields) as Record<string, string>;
  expect(others).toEqual({
    Contact: 'mailto:hello@parks.example',
    'Preferred-Languages': 'he, en',
    Canonical: 'https://parks.example/.well-known/security.txt',
  });
  const days = (Date.parse(Expires ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});
