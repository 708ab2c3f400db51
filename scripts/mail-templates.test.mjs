// The mail templates in the repository are the ones that the script makes.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mailTemplates } from './mail-templates.mjs';

const folder = path.resolve(import.meta.dirname, '../supabase/templates');

it('are up to date: run node scripts/mail-templates.mjs', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'));
  const found = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]),
  );
  expect(Object.fromEntries(found)).toEqual(mailTemplates());
});
