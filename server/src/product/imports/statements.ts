// The statements of statements.sql by their names.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';

const SQL = new Map(
  readFileSync(path.join(ROOT, 'server/src/product/imports/statements.sql'), 'utf8')
    .split(/^-- statement "/m)
    .map((section) => [section.split('"')[0] ?? '', section.replace(/^.*\n/, '')]),
);

export function statement(name: string): string {
  const text = SQL.get(name);
  if (text === undefined) throw new Error(`statements.sql has no statement "${name}"`);
  return text;
}
