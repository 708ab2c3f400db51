// The baseline is written anew until 1.0.0. From then on it stays as it is, and what the schemas have beyond it needs a step.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './lib/freshness.ts';

const PARTS =
  'package.json package-lock.json scripts shared supabase testing server/src app/src/routes';

test('after the release a schema needs a step, and the baseline stays', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'packpark-generate-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const part of PARTS.split(' '))
    cpSync(path.join(ROOT, part), path.join(root, part), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  const at = (file: string) => path.join(root, file);
  const read = (file: string) => readFileSync(at(file), 'utf8');
  const beVersion = (version: string) =>
    writeFileSync(
      at('package.json'),
      read('package.json').replace(/"version": "[^"]*"/, `"version": "${version}"`),
    );
  const migrations = () => readdirSync(at('supabase/migrations'));
  const declare = (sql: string) => appendFileSync(at('supabase/schemas/parks.sql'), sql);
  const generate = (...args: string[]) => {
    const jiti = at('node_modules/jiti/lib/jiti-cli.mjs');
    const { status, stderr } = spawnSync(process.execPath, [jiti, 'scripts/generate.ts', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    return { status, stderr };
  };

  beVersion('0.9.0');
  const committed = migrations();
  const leash = `create function public.leash() returns integer language sql as 'select 1';\n`;
  declare(leash);
  expect(generate()).toEqual({ status: 0, stderr: '' });
  const [baseline = ''] = migrations();
  expect(migrations()).toHaveLength(1);
  expect(committed).not.toContain(baseline);
  expect(read(`supabase/migrations/${baseline}`)).toContain(leash);

  beVersion('1.0.0');
  const collar = leash.replace('leash', 'collar');
  declare(collar);
  const refused = generate();
  expect(refused.stderr).toMatch(
    /disagree about function public\.collar\(\): write a step .*, supabase\/migrations\/<14 digits of the date>_<name>\.sql\.$/m,
  );
  expect(refused.status).toBe(1);
  expect(migrations()).toEqual([baseline]);

  writeFileSync(at('supabase/migrations/20990101000000_collar.sql'), collar);
  expect(generate()).toEqual({ status: 0, stderr: '' });
  expect(read('shared/database.types.ts')).toContain('collar');

  appendFileSync(at(`supabase/migrations/${baseline}`), collar);
  expect(generate('--check')).toEqual({
    status: 1,
    stderr: 'The baseline in supabase/migrations belongs to a release: put it back as it was.\n',
  });
});
