// The baseline is written anew until 1.0.0. From then on it stays as it is, and what the schemas have beyond it needs a step.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './lib/freshness.ts';

const PARTS =
  'package.json package-lock.json scripts shared supabase testing server/src app/src/routes';

test('after the release a schema needs a step, and the baseline stays', async () => {
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
  const generate = async (...args: string[]) => {
    const child = spawn(
      process.execPath,
      [at('node_modules/jiti/lib/jiti-cli.mjs'), 'scripts/generate.ts', ...args],
      { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { status: status as number, stderr };
  };

  beVersion('0.9.0');
  const committed = migrations();
  // Steps of releases are in the schemas already.
  for (const file of committed.slice(1)) rmSync(at(`supabase/migrations/${file}`));
  const leash = `create function public.leash() returns integer language sql as 'select 1';\n`;
  declare(leash);
  expect(await generate()).toMatchObject({ status: 0 });
  const [baseline = ''] = migrations();
  expect(migrations()).toHaveLength(1);
  expect(committed).not.toContain(baseline);
  expect(read(`supabase/migrations/${baseline}`)).toContain(leash);

  beVersion('1.0.0');
  const collar = leash.replace('leash', 'collar');
  declare(collar);
  const refused = await generate();
  expect(refused.stderr).toMatch(
    /disagree about function public\.collar\(\): write a step .*, supabase\/migrations\/<14 digits of the date>_<name>\.sql\.$/m,
  );
  expect(refused.status).toBe(1);
  expect(migrations()).toEqual([baseline]);

  writeFileSync(at('supabase/migrations/20990101000000_collar.sql'), collar);
  expect(await generate()).toMatchObject({ status: 0 });
  expect(read('shared/database.types.ts')).toContain('collar');

  appendFileSync(at(`supabase/migrations/${baseline}`), collar);
  expect(await generate('--check')).toEqual({
    status: 1,
    stderr: expect.stringContaining('belongs to a release: put it back as it was.'),
  });
});
