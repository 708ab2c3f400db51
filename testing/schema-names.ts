// Reads the names of tables, columns and functions from the generated types, for requests that get past the parser.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, type ESTree } from 'rolldown/utils';
import { ROOT } from '../scripts/lib/freshness.ts';

type Member = ESTree.TSPropertySignature;

const nameOf = ({ key }: Member) => (key.type === 'Identifier' ? key.name : '');

/** Returns the members of the type literal at the path `names` below `type`; none if there is another type. */
function members(type: ESTree.TSType | undefined, names: string[]): Member[] {
  if (type?.type !== 'TSTypeLiteral') return [];
  const all = type.members.filter((one) => one.type === 'TSPropertySignature');
  const [name, ...rest] = names;
  if (name === undefined) return all;
  return members(typeOf(all.find((one) => nameOf(one) === name)), rest);
}

const typeOf = (member: Member | undefined) => member?.typeAnnotation?.typeAnnotation;

interface SchemaNames {
  tables: string[];
  columns: string[];
  calls: string[];
  parameters: string[];
  functions: string[];
}

/** Returns each name once, sorted, so that a seed produces the same requests as long as the schema does not change. */
export function schemaNames(): SchemaNames {
  const file = path.join(ROOT, 'shared/database.types.ts');
  const database = parseSync(file, readFileSync(file, 'utf8'))
    .program.body.map((one) => (one.type === 'ExportNamedDeclaration' ? one.declaration : one))
    .filter((one) => one?.type === 'TSTypeAliasDeclaration')
    .find(({ id }) => id.name === 'Database')?.typeAnnotation;
  const relations = ['Tables', 'Views'].flatMap((kind) => members(database, ['public', kind]));
  const calls = members(database, ['public', 'Functions']);
  const unique = (names: string[]) => [...new Set(names)].sort();
  const namesOf = (list: Member[]) => unique(list.map(nameOf));
  const folder = path.join(ROOT, 'supabase/functions');
  return {
    tables: namesOf(relations),
    columns: namesOf(relations.flatMap((one) => members(typeOf(one), ['Row']))),
    calls: namesOf(calls),
    parameters: namesOf(calls.flatMap((one) => members(typeOf(one), ['Args']))),
    functions: readdirSync(folder)
      .filter((name) => existsSync(path.join(folder, name, 'index.ts')))
      .sort(),
  };
}
