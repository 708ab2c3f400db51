// Tests rules that concern several settings: rejected combinations, the default of DEMO, and the contact address; and that
// docs/settings.md is complete.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#/host/lib/paths.ts';
import { contactAddress, readSettings, settingsSchema, wantsDemo } from '#/product/settings.ts';

test('docs/settings.md names every setting and no other', () => {
  const page = readFileSync(path.join(ROOT, 'docs/settings.md'), 'utf8');
  const documented = [...page.matchAll(/^\| (`[A-Z0-9_`, ]+`) +\|/gm)].flatMap(
    ([, names = '']) => names.match(/[A-Z][A-Z0-9_]+/g) ?? [],
  );
  expect(documented.sort()).toEqual(Object.keys(settingsSchema.entries).sort());
});

test.each([
  [{ CONTACT_EMAIL: 'hi@parks.example', MAIL_FROM: 'parks@parks.example' }, 'hi@parks.example'],
  [{ MAIL_FROM: 'parks@parks.example' }, 'parks@parks.example'],
  [{ MAIL_FROM: 'Packpark <parks@parks.example>' }, 'parks@parks.example'],
  [{ MAIL_FROM: 'Packpark <No-Reply@parks.example>' }, null],
  [{ MAIL_FROM: 'donotreply@parks.example' }, null],
  [{}, null],
])('with %j the contact address is %s', (environment, address) => {
  expect(contactAddress(readSettings(environment))).toBe(address);
});

test.each([
  [{ S3_BUCKET: 'photos' }, 'S3_BUCKET is not enough: S3_ACCESS_KEY_ID'],
  [{ S3_ACCESS_KEY_ID: 'key' }, 'S3_ACCESS_KEY_ID is not enough: S3_BUCKET'],
  [{ CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SITE_KEY: 'a' }, 'not enough: CAPTCHA_SECRET'],
  [{ CAPTCHA_SECRET: 'a' }, 'CAPTCHA_SECRET is not enough: CAPTCHA_PROVIDER'],
  [{ GOOGLE_CLIENT_SECRET: 'a' }, 'not enough: GOOGLE_CLIENT_ID'],
  [{ APPLE_KEY_ID: 'a' }, 'not enough: APPLE_TEAM_ID'],
  [{ SMS_WEBHOOK_SECRET: 'v1,whsec_aaaa' }, 'not enough: SMS_WEBHOOK_URL'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV is wrong: it must be development, production or test'],
  [{ MAIL_FROM: 'foo' }, 'MAIL_FROM is wrong: it must be an email address'],
  [{ PRIVACY_EMAIL: 'privacy' }, 'PRIVACY_EMAIL is wrong: it must be an email address'],
  [{ ACCESSIBILITY_EMAIL: 'a@' }, 'ACCESSIBILITY_EMAIL is wrong: it must be an email address'],
  [{ LANGUAGES: 'en,xx' }, 'LANGUAGES is wrong: it must be some of'],
  [{ OPERATOR: 'Dogs' }, 'OPERATOR is wrong: it must be a name and an address'],
  [{ EMERGENCY_PHONES: 'poison=ask a vet' }, 'EMERGENCY_PHONES is wrong: it must be numbers'],
  [{ DEMO: 'true', NODE_ENV: 'production' }, 'DEMO is wrong'],
  [{ DEMO: 'true', SITE_URL: 'https://parks.example' }, 'DEMO is wrong'],
  [{ DEMO: 'true', HOST: '0.0.0.0' }, 'DEMO is wrong'],
])('with %j the host does not start: %s', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(sentence);
});

test.each([
  [{}, true],
  [{ SITE_URL: 'http://localhost:3000' }, true],
  [{ DEMO: 'false' }, false],
  [{ SITE_URL: 'https://parks.example' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ TRUST_PROXY: 'true' }, false],
  [{ NODE_ENV: 'production', SITE_URL: 'http://localhost' }, false],
  [{ DATABASE_URL: 'postgres://localhost/parks' }, false],
  [{ DATABASE_URL: 'postgres://localhost/parks', DEMO: 'true' }, true],
])('with %j the demo is seeded into an empty database: %s', (environment, demo) => {
  expect(wantsDemo(readSettings(environment))).toBe(demo);
});

test.each([
  ['WEEKEND', 'saturday,sunday'],
  ['LANGUAGES', 'he,en'],
  ['START_PLACE', '32.8,34.98'],
  ['ADDRESS_COUNTRY', 'at,de'],
  ['EMERGENCY_PHONES', 'poison=04-7771900,city=106'],
  ['AUTH_EMAILS_ALLOWED', '@a.example,b@c.example'],
  ['ADDITIONAL_REDIRECT_URLS', 'https://a.example/*,https://b.example'],
  ['GOOGLE_CLIENT_ID', 'web,ios'],
])('the list %s may have spaces after its commas', (name, value) => {
  expect(readSettings({ [name]: value.replaceAll(',', ', ') })).toEqual(
    readSettings({ [name]: value }),
  );
});
