// Tests the checks of `packpark doctor` for unsupported Node and PostgreSQL versions, and for a mail server.
import { expect, test } from 'vitest';
import { checkNodeFixes, checkPostgresVersion, testMail } from '#/cli/doctor.ts';
import { readSettings } from '#/product/settings.ts';
import { startMailServer } from '../../../testing/mail-server.ts';

test.each([
  ['20.19.2', '2026-04-30', 'ok'],
  ['20.19.2', '2026-05-01', 'note'],
  ['26.1.0', '2026-11-24', 'ok'],
  ['99.0.0', '2026-11-24', 'ok'],
])('Node %s on %s: %s', (version, day, kind) => {
  expect(checkNodeFixes(version, new Date(day))[0]).toBe(kind);
});

test('a PostgreSQL without security fixes is reported, with a recommendation', () => {
  expect(checkPostgresVersion('18.4')).toEqual([
    ['note', expect.stringMatching(/^PostgreSQL 18\.4 is older than 18\.6.*POSTGRES_BIN/)],
  ]);
  expect(checkPostgresVersion('15.18 (Debian 15.18-0+deb12u1)', true)).toEqual([
    ['note', expect.stringMatching(/^PostgreSQL 15\.18 .*: upgrade the server of DATABASE_URL\.$/)],
  ]);
  for (const version of ['18.6', '17.12', '19.0'])
    expect(checkPostgresVersion(version)).toEqual([]);
});

test('a test mail reaches the mail server, or doctor reports why not', async () => {
  const server = await startMailServer();
  const settings = readSettings({ SMTP_URL: server.url });
  await testMail(settings, 'ada@example.test');
  expect(await server.take('ada@example.test')).toMatchObject({ subject: 'Packpark: a test mail' });
  server.rejects = () => 550;
  expect(await testMail(settings, 'ada@example.test')).toEqual([
    ['bad', expect.stringMatching(/^No test mail was sent: .*rejects the recipient.*SMTP_URL/)],
  ]);
  expect(await testMail(readSettings({}), 'ada@example.test')).toEqual([
    ['bad', 'No test mail was sent: SMTP_URL is not set.'],
  ]);
});
