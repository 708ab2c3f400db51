// Every field that takes a password stops where the server does: a longer one, cut in one place only, would open no door.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8');

const [, longest] = /LONGEST = (\d+);/.exec(read('../../server/src/host/auth/passwords.ts')) ?? [];
const fields = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) =>
    read(file)
      .split(/<TextField\b/)
      .slice(1)
      .map((part) => [file, part] as const),
  )
  .map(([file, part]) => [file, part.slice(0, part.indexOf('/>'))] as const)
  .filter(([, field]) => field.includes('type="password"'));

test('there are three: login and signup, the settings, and after a mail', () => {
  expect(fields).toHaveLength(3);
});

test.each(fields)('the password of %s', (_, field) => {
  expect(field).toContain(`maxLength={${String(longest)}}`);
});
