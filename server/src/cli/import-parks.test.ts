// The command line of imports: output, errors and exit codes. Tests of the import itself are in product/imports.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCli, temporaryData } from '../../../testing/run-cli.ts';
import { createTestDatabase } from '../../../testing/test-host.ts';

test('a file is imported with its mapping, and the import is undone; a file without parks ends with exit code 1', async () => {
  const folder = temporaryData();
  const [file, mapping] = ['parks.csv', 'mapping.json'].map((name) => path.join(folder, name));
  const environment = { DATABASE_URL: await createTestDatabase(), DATA_DIR: folder };
  const run = (content: string) => {
    writeFileSync(file ?? '', content);
    writeFileSync(mapping ?? '', JSON.stringify({ columns: { title: 'name' } }));
    const options = ['--source', 'Survey', '--licence', 'CC0', '--mapping', mapping ?? ''];
    return runCli(['import-parks', file ?? '', ...options], environment);
  };
  const done = await run('title;city;lat;lng\nA;Haifa;32,8;34,9\n');
  expect(done.stdout.trim()).toBe(
    'Imported: 1 new, 0 changed, 0 unchanged, 0 left out, 0 rejected, 0 to be decided.',
  );
  expect(done.code).toBe(0);
  const imports = await runCli(['imports', 'list'], environment);
  const [id = ''] =
    /^[0-9a-f-]{36}(?= .* parks\.csv: 1 new, 0 changed$)/m.exec(imports.stdout) ?? [];
  expect((await runCli(['imports', 'undo', id], environment)).stdout).toBe(
    `Undid ${id}: 1 parks removed, 0 as they were before.\n`,
  );
  const again = await runCli(['imports', 'undo', id], environment);
  expect(again.stderr).toContain(`There is nothing to undo about ${id}.`);
  expect(again.code).toBe(1);
  const none = await run('title;city;lat;lng\n\u001b[31mA;Haifa;;34,9\n');
  expect(none.stdout.trim()).toBe(
    'Would import: 0 new, 0 changed, 0 unchanged, 0 left out, 1 rejected, 0 to be decided. Nothing was changed.',
  );
  expect(none.stderr).toContain('Row 1: lat is missing; expected degrees from -90 to 90\n');
  expect(none.stderr.trim()).toMatch(/There is no park in the file that can be imported\.$/);
  expect(none.code).toBe(1);
});

test('without a terminal a suspicious file is not written, unless --yes is given', async () => {
  const folder = temporaryData();
  const file = path.join(folder, 'parks.csv');
  const environment = { DATABASE_URL: await createTestDatabase(), DATA_DIR: folder };
  writeFileSync(file, 'name,city,lat,long\nA,Vienna,48.2,16.37\n');
  const command = ['import-parks', file, '--source', 'Survey', '--licence', 'CC0'];
  const unconfirmed = await runCli(command, environment);
  expect(unconfirmed.stderr).toContain('Please check: 1 of 1 parks are outside IL.\n');
  expect(unconfirmed.stderr).toContain('import it with --yes');
  expect([unconfirmed.code, unconfirmed.stdout]).toEqual([2, '']);
  expect((await runCli(['imports', 'list'], environment)).stdout).toBe('Nothing was imported.\n');
  const done = await runCli([...command, '--yes'], environment);
  expect([done.code, done.stdout.slice(0, 16)]).toEqual([0, 'Imported: 1 new,']);
  // Later imports of the same file at the same places, such as by a timer, need no confirmation.
  expect((await runCli(command, environment)).code).toBe(0);
});
