// The names that the database and its functions have now, read from the generated types: for requests that must mean something.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './freshness.ts';

/** The members of the type literal below `node` that `names` lead to; none where something else stands there. */
function members(node: ts.TypeNode | undefined, names: string[]): ts.PropertySignature[] {
  if (!node || !ts.isTypeLiteralNode(node)) return [];
  const all = node.members.filter(ts.isPropertySignature);
  const [name, ...rest] = names;
  if (name === undefined) return all;
  return members(all.find((one) => one.name.getText() === name)?.type, rest);
}

export interface SchemaNames {
  /** Tables and views. */
  tables: string[];
  columns: string[];
  /** What rpc can call. */
  calls: string[];
  /** What the calls take. */
  parameters: string[];
  /** The folders of supabase/functions that are served. */
  functions: string[];
}

/** Each name once, sorted, so that a seed makes the same requests while the schema stays. */
export function schemaNames(): SchemaNames {
  const file = path.join(ROOT, 'shared/database.types.ts');
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.ESNext,
    true,
  );
  const database = source.statements
    .filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === 'Database')?.type;
  const relations = ['Tables', 'Views'].flatMap((kind) => members(database, ['public', kind]));
  const calls = members(database, ['public', 'Functions']);
  const unique = (names: string[]) => [...new Set(names)].sort();
  const namesOf = (list: ts.PropertySignature[]) => unique(list.map((one) => one.name.getText()));
  const folder = path.join(ROOT, 'supabase/functions');
  return {
    tables: namesOf(relations),
    columns: namesOf(relations.flatMap((one) => members(one.type, ['Row']))),
    calls: namesOf(calls),
    parameters: namesOf(calls.flatMap((one) => members(one.type, ['Args']))),
    functions: readdirSync(folder)
      .filter((name) => existsSync(path.join(folder, name, 'index.ts')))
      .sort(),
  };
}
