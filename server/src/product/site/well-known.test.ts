// The native apps and the host agree on the links that open the app.
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
