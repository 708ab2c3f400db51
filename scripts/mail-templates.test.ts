// Tests that the committed mail templates and subjects are those that the generator creates.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mailTemplates, withSubjects } from './mail-templates.ts';

const supabase = path.resolve(import.meta.dirname, '../supabase');
const folder = path.join(supabase, 'templates');

it('are up to date: run npm run generate', async () => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'));
  const found = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]),
  );
  expect(Object.fromEntries(found)).toEqual(mailTemplates());
  // A mail must not contain Supabase's own link, because a GET request from a mail scanner would consume its token.
  expect(JSON.stringify(found)).not.toContain('ConfirmationURL');
});

it('the platform gets the same subjects', async () => {
  const config = await readFile(path.join(supabase, 'config.toml'), 'utf8');
  expect(config).toBe(withSubjects(config));
  expect(config.match(/^subject = '\{\{ if /gm)).toHaveLength(Object.keys(mailTemplates()).length);
  expect(config.match(/^subject = '[^']*'$/gm)).toHaveLength(Object.keys(mailTemplates()).length);
});
