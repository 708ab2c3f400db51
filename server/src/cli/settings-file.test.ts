// Tests which settings file is read, and the messages if that fails.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { explain } from '#/cli/explain.ts';
import { loadSettingsFile, settingsFile } from '#/cli/settings-file.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { checkSettings } from '#/product/check-results.ts';
import { readSettings } from '#/product/settings.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';

afterEach(() => vi.unstubAllEnvs());

test('the named file is used; the environment has priority; a misspelt name is reported', async () => {
  const file = path.join(temporaryFolder(), 'packpark.env');
  writeFileSync(
    file,
    [
      '# A comment',
      'CONTACT_EMAIL="file@example.org"',
      'export MAIL_FROM=file@example.org',
      '',
      "FCM_SERVICE_ACCOUNT='{",
      "  two lines of a value'",
      'SMTP_ULR=x',
      'TZ=UTC',
    ].join('\n'),
  );
  for (const name of ['CONTACT_EMAIL', 'SMTP_ULR', 'FCM_SERVICE_ACCOUNT'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('MAIL_FROM', 'environment@example.org');
  expect(settingsFile(file)).toBe(file);
  loadSettingsFile(file);
  expect(process.env.CONTACT_EMAIL).toBe('file@example.org');
  expect(process.env.MAIL_FROM).toBe('environment@example.org');
  const notes = await checkSettings(readSettings({ AUTH_EMAILS_ALLOWED: 'park.test' }));
  expect(notes.map(([, note]) => note).filter((note) => /sets|ALLOWED/.test(note))).toEqual([
    'The settings file sets SMTP_ULR, which is no setting of Packpark.',
    'AUTH_EMAILS_ALLOWED names something that is no email and no @domain: it lets nobody in.',
  ]);
});

test.each([
  ['SMTP_URL smtp://mail.example.org', 'Line 3 is not NAME=value'],
  ['METRICS_TOKEN=a#b', 'Line 3 has a "#" in a value without quotes'],
])('a settings file with the line %s stops a command', (line, problem) => {
  const file = path.join(temporaryFolder(), 'packpark.env');
  vi.stubEnv('METRICS_TOKEN', 'environment');
  writeFileSync(file, `# A comment\nMAIL_FROM="a#b@example.org"\n${line}\nTRUST_PROXY=true\n`);
  expect(() => loadSettingsFile(file)).toThrow(`The settings file ${file} is wrong: ${problem}.`);
});

test('an unreadable file stops a command, unless the environment names the data', () => {
  vi.stubEnv('DATA_DIR', undefined);
  vi.stubEnv('DATABASE_URL', undefined);
  const missing = path.join(temporaryFolder(), 'no-such-file.env');
  expect(() => loadSettingsFile(missing)).toThrow(
    `The settings file ${missing} cannot be read (ENOENT): PACKPARK_SETTINGS must name a file.`,
  );
  vi.stubEnv('DATA_DIR', '/srv/packpark/data');
  loadSettingsFile(missing);
});

test.each([
  [new StartError('Say which file.'), 'Say which file.'],
  [
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    'There is no room left on the disk: ENOSPC: no space left on device, write.',
  ],
  [
    Object.assign(new Error('nobody_there'), { code: 'P0001', hint: 'There is no such user.' }),
    'There is no such user.',
  ],
  [
    Object.assign(new Error('invalid input value for enum: "x"'), { code: '22P02' }),
    'A value is not valid: invalid input value for enum: "x". --help describes the values.',
  ],
  [
    Object.assign(new Error('Key violated'), { code: '23503', detail: 'There is no park 9.' }),
    'There is no park 9.',
  ],
  [
    Object.assign(new Error('relation "auth.users" does not exist'), { code: '42P01' }),
    'The database does not have the schema of this Packpark (relation "auth.users" does not exist): start the host first.',
  ],
  [
    new AggregateError([
      new Error('connect ECONNREFUSED ::1:1'),
      new Error('connect ECONNREFUSED 127.0.0.1:1'),
    ]),
    'The command failed: connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1. (LOG_LEVEL=debug shows where.)',
  ],
  [
    new TypeError('x is not a function'),
    'The command failed: x is not a function. (LOG_LEVEL=debug shows where.)',
  ],
])('%s is printed without a stack trace', (error, sentence) => {
  expect(explain(error, 'warn')).toBe(sentence);
});
