// Tests the warnings and errors at startup about how the host is reachable.
import { expect, test } from 'vitest';
import { hostSettingsSchema, parseSettings } from '#/host/lib/host-settings.ts';
import { checkExposure, exposureNotes } from '#/host/gateway/exposure.ts';

const SITE = 'https://parks.example';
const about = (environment: Record<string, string>) =>
  exposureNotes(parseSettings(hostSettingsSchema, environment)).map(
    (note) => /^[A-Z_]+/.exec(note)?.[0],
  );

test.each([
  [{}, []],
  [{ SITE_URL: 'http://localhost:3000' }, []],
  [{ HOST: '0.0.0.0' }, ['SITE_URL']],
  [{ TRUST_PROXY: 'true' }, ['SITE_URL']],
  [{ SITE_URL: SITE }, ['TRUST_PROXY']],
  [{ SITE_URL: 'http://parks.example' }, ['TRUST_PROXY']],
  [{ SITE_URL: SITE, HOST: '0.0.0.0' }, ['TRUST_PROXY']],
  [{ SITE_URL: 'http://parks.example', HOST: '0.0.0.0' }, []],
  [{ SITE_URL: SITE, TRUST_PROXY: 'true' }, []],
  [{ SITE_URL: SITE, TRUST_PROXY: 'true', HOST: '0.0.0.0' }, ['TRUST_PROXY']],
] as [Record<string, string>, string[]][])('%j: %j', (environment, names) => {
  expect(about(environment)).toEqual(names);
});

test('production requires a public URL', () => {
  expect(() =>
    checkExposure(parseSettings(hostSettingsSchema, { NODE_ENV: 'production' })),
  ).toThrow(/^SITE_URL is not set/);
  checkExposure(parseSettings(hostSettingsSchema, { NODE_ENV: 'production', SITE_URL: SITE }));
  checkExposure(parseSettings(hostSettingsSchema, {}));
});
