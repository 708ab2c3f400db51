// Relationships between tables and views, derived from foreign keys. A view inherits the relationships of the columns that it
// selects.
import { RestError, UnknownNameError } from '#/host/rest/errors.ts';
import { didYouMean } from '#/host/rest/did-you-mean.ts';
import type { Relation, Schema } from '#/host/rest/schema-cache.ts';

export type Pair = [here: string, there: string];

/**
 * A relationship between two relations. Each pair in `columns` is a column of the source and a column of the target. For
 * many-to-many, the second one is a column of the junction.
 */
export interface Relationship {
  type: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';
  source: Relation;
  target: Relation;
  constraint: string;
  /** True if the source has the foreign key's columns. */
  owning: boolean;
  columns: Pair[];
  junction: { relation: Relation; constraint: string; columns: Pair[] } | null;
}

interface ForeignKey {
  name: string;
  source: Relation;
  /** True if at most one source row can reference a target row. */
  unique: boolean;
  columns: Pair[];
  target: Relation;
}

/** Returns the relations that contain a table's columns: the table itself and views of it. */
export type Instances = (
  table: Relation,
  columns: string[],
) => { relation: Relation; columns: string[] }[];

export const isToOne = ({ type }: Relationship): boolean =>
  type === 'many-to-one' || type === 'one-to-one';

export function buildRelationships(
  keys: ForeignKey[],
  instances: Instances,
): Map<Relation, Relationship[]> {
  const all = new Map<Relation, Relationship[]>();
  const add = (relationship: Relationship) => {
    const list = all.get(relationship.source);
    if (list) list.push(relationship);
    else all.set(relationship.source, [relationship]);
  };
  const pairUp = (left: string[], right: string[]): Pair[] =>
    left.map((name, index) => [name, right[index] ?? '']);
  const here = (key: ForeignKey) => key.columns.map(([name]) => name);
  const there = (key: ForeignKey) => key.columns.map(([, name]) => name);

  for (const key of keys) {
    for (const source of instances(key.source, here(key))) {
      for (const target of instances(key.target, there(key))) {
        add({
          type: key.unique ? 'one-to-one' : 'many-to-one',
          source: source.relation,
          target: target.relation,
          constraint: key.name,
          owning: true,
          columns: pairUp(source.columns, target.columns),
          junction: null,
        });
        add({
          type: key.unique ? 'one-to-one' : 'one-to-many',
          source: target.relation,
          target: source.relation,
          constraint: key.name,
          owning: false,
          columns: pairUp(target.columns, source.columns),
          junction: null,
        });
      }
    }
  }
  // A junction is an exposed table whose primary key contains two foreign keys.
  for (const first of keys) {
    const junction = first.source;
    if (!junction.exposed || !here(first).every((name) => junction.primaryKey.includes(name)))
      continue;
    for (const second of keys) {
      if (second === first || second.source !== junction) continue;
      if (!here(second).every((name) => junction.primaryKey.includes(name))) continue;
      for (const source of instances(first.target, there(first))) {
        for (const target of instances(second.target, there(second))) {
          add({
            type: 'many-to-many',
            source: source.relation,
            target: target.relation,
            constraint: first.name,
            owning: false,
            columns: pairUp(source.columns, here(first)),
            junction: {
              relation: junction,
              constraint: second.name,
              columns: pairUp(here(second), target.columns),
            },
          });
        }
      }
    }
  }
  return all;
}

function advice(target: string, relationships: Relationship[]): string {
  const hints = relationships.map(
    ({ junction, constraint }) => `'${target}!${junction?.relation.name ?? constraint}'`,
  );
  return `Try changing '${target}' to one of the following: ${hints.join(', ')}.`;
}

function matches(relationship: Relationship, target: string, hint: string | null): boolean {
  const { constraint, owning, columns, junction } = relationship;
  const isParentOfSelf = owning && relationship.source === relationship.target;
  const ownColumn = owning && columns.length === 1 ? columns[0]?.[0] : undefined;
  if (hint === null) {
    // If a table references itself, its name refers to the child rows, and the name of the foreign key to the parent.
    if (relationship.target.name === target) return !isParentOfSelf;
    // The name of a foreign key or of its column refers to the table, and not to views of that table.
    return (
      junction === null &&
      !relationship.target.view &&
      (constraint === target || ownColumn === target)
    );
  }
  if (relationship.target.name !== target) return false;
  if (junction) return junction.relation.name === hint;
  const hinted =
    constraint === hint ||
    ownColumn === hint ||
    (!owning && columns.length === 1 && columns[0]?.[1] === hint);
  return hinted && !isParentOfSelf;
}

function describe(relationship: Relationship): Record<string, string> {
  const { type, source, target, constraint, columns, junction } = relationship;
  const side = (index: 0 | 1, pairs: Pair[]) => `(${pairs.map((pair) => pair[index]).join(', ')})`;
  return {
    cardinality: type,
    embedding: `${source.name} with ${target.name}`,
    relationship: junction
      ? `${junction.relation.name} using ${constraint}${side(1, columns)} and ${junction.constraint}${side(0, junction.columns)}`
      : `${constraint} using ${source.name}${side(0, columns)} and ${target.name}${side(1, columns)}`,
  };
}

/**
 * Finds the relationship that an embed refers to.
 * @throws PGRST200 (none) or PGRST201 (several)
 */
export function findRelationship(
  schema: Schema,
  source: Relation,
  target: string,
  hint: string | null,
): Relationship {
  const known = schema.relationships.get(source) ?? [];
  const found = known.filter((relationship) => matches(relationship, target, hint));
  const [first, second] = found;
  if (!first) {
    const names = known.map((relationship) => relationship.target.name);
    const meant = names.includes(target) ? null : didYouMean(target, names);
    const others = known.filter((relationship) => matches(relationship, target, null));
    let advised = others.length > 0 ? advice(target, others) : null;
    if (meant !== null) advised = `Perhaps you meant '${meant}' instead of '${target}'.`;
    throw new UnknownNameError(
      400,
      'PGRST200',
      `Could not find a relationship between '${source.name}' and '${target}' in the schema cache`,
      {
        details: `Searched for a foreign key relationship between '${source.name}' and '${target}'${
          hint === null ? '' : ` using the hint '${hint}'`
        } in the schema 'public', but no matches were found.`,
        hint: advised,
      },
    );
  }
  if (!second) return first;
  throw new RestError(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${source.name}' and '${target}'`,
    {
      details: found.map(describe),
      hint: `${advice(target, found)} Find the desired relationship in the 'details' key.`,
    },
  );
}
