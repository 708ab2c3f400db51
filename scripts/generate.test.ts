// Tests that the baseline follows the schemas until a release freezes it. Afterwards a changed schema needs a migration, and the
// migration for a new language is generated.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startHostProcess } from '../testing/host-process.ts';
import { ROOT } from './lib/freshness.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const PARTS =
  'package.json package-lock.json tsconfig.base.json scripts shared languages supabase testing server/package.json server/src server/bin app/src app/ios';

test('after the baseline is frozen, a changed schema needs a migration; a language generates its own', async () => {
  const root = temporaryFolder();
  for (const part of PARTS.split(' '))
    cpSync(path.join(ROOT, part), path.join(root, part), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  const at = (file: string) => path.join(root, file);
  const read = (file: string) => readFileSync(at(file), 'utf8');
  const change = (file: string, from: string, to: string) =>
    writeFileSync(at(file), read(file).replace(from, to));
  const migrations = () => readdirSync(at('supabase/migrations'));
  const run = async (script: string, ...args: string[]) => {
    const child = spawn(
      process.execPath,
      [at('node_modules/jiti/lib/jiti-cli.mjs'), `scripts/${script}.ts`, ...args],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { status: status as number, stdout, stderr };
  };
  const generate = () => run('generate');

  // Before the release, a changed schema changes the baseline and needs no migration.
  const unfrozen = '20261124000000_baseline.sql';
  for (const migration of migrations()) rmSync(at(`supabase/migrations/${migration}`));
  writeFileSync(at(`supabase/migrations/${unfrozen}`), '');
  expect(await run('release')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('npm run generate freeze'),
  });
  const toy = `create function public.toy() returns integer language sql as 'select 1';\n`;
  appendFileSync(at('supabase/schemas/parks.sql'), toy);
  expect((await run('generate', 'freeze')).stderr).toBe('');
  const before = migrations();
  expect(before).toEqual([expect.stringMatching(/_baseline_[0-9a-f]{8}\.sql$/)]);
  expect(before).not.toEqual([unfrozen]);
  expect(read(`supabase/migrations/${before[0]}`)).toContain(toy);
  const collar = `create function public.collar() returns integer language sql as 'select 1';\n`;
  appendFileSync(at('supabase/schemas/parks.sql'), collar);
  const refused = await generate();
  expect(refused.stderr).toMatch(
    /disagree about function public\.collar\(\): add a migration .*, supabase\/migrations\/<14 digits of the date>_<name>\.sql\.$/m,
  );
  expect(refused.status).toBe(1);
  expect(migrations()).toEqual(before);

  // An invented language needs only a folder and one line.
  cpSync(at('languages/en'), at('languages/eo'), { recursive: true });
  change('languages/eo/site.json', 'This park is not here', 'Ĉi tiu parko ne estas ĉi tie');
  change('languages/eo/auth-mails.json', 'Confirm your email', 'Konfirmu vian retadreson');
  change('languages/eo/database.json', '"new_user"', '"newUser"');
  expect((await run('check-i18n')).stderr).toBe(
    'languages/eo has no line in shared/languages.ts\n',
  );
  change(
    'shared/languages.ts',
    '} satisfies',
    "  eo: { name: 'Esperanto', direction: 'ltr', script: 'Latin', locale: 'eo-IL' },\n} satisfies",
  );
  expect((await run('check-i18n')).stderr).toBe('eo/database.json: new_user is missing\n');
  change('languages/eo/database.json', '"newUser"', '"new_user"');
  change('languages/eo/database.json', 'Somebody from the pack', 'El la hundaro');
  expect((await run('check-i18n')).status).toBe(0);

  writeFileSync(at('supabase/migrations/20990101000000_collar.sql'), collar);
  expect(await generate()).toMatchObject({ status: 0, stderr: '' });
  expect(migrations()).toContainEqual(expect.stringMatching(/^\d{14}_languages\.sql$/));
  expect(read('shared/database.types.ts')).toMatch(/collar[^]*language:.*["']eo["']/);
  expect(read('supabase/templates/confirmation.html')).toContain('<title>Konfirmu');
  expect(read('app/ios/App/App/Info.plist')).toContain('<string>eo</string>');
  const host = await startHostProcess({ DATA_DIR: at('data'), LANGUAGES: 'eo,en', DEMO: 'false' }, [
    at('server/bin/packpark.mjs'),
    'start',
  ]);
  onTestFinished(() => host.stop());
  const pageOf = async (address: string) => (await fetch(host.url + address)).text();
  expect(await pageOf('/poster/park/999?lang=eo')).toMatch(/lang="eo" dir="ltr".*parko ne estas/);
  const { anonKey } = JSON.parse(await pageOf('/config.json')) as { anonKey: string };
  const headers = { apikey: anonKey, 'content-type': 'application/json' };
  const response = await fetch(`${host.url}/auth/v1/signup`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      email: 'ludoviko@example.test',
      password: 'a long enough password',
      data: { language: 'eo' },
    }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  const users = await fetch(`${host.url}/rest/v1/users?select=name,language`, {
    headers: { ...headers, authorization: `Bearer ${access_token}` },
  });
  expect(await users.json()).toEqual([{ name: 'El la hundaro', language: 'eo' }]);
  const list = `${host.url}/storage/v1/object/public/parks/parks-eo.json`;
  await vi.waitFor(async () => expect((await fetch(list)).status).toBe(200), 60_000);

  appendFileSync(at(`supabase/migrations/${before[0]}`), collar);
  expect(await generate()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('belongs to a release: put it back as it was.'),
  });
});
