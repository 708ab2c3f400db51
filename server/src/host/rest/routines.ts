// The database functions that can be called, and the resolution of overloads.
import { didYouMean } from '#/host/rest/did-you-mean.ts';
import { RestError, UnknownNameError } from '#/host/rest/errors.ts';
import type { Column, Relation, Schema } from '#/host/rest/schema-cache.ts';
import type { RoutineRow } from '#/host/rest/schema-queries.ts';
import { quote } from '#/host/rest/sql-text.ts';

interface RoutineParameter {
  name: string;
  type: string;
  required: boolean;
  variadic: boolean;
}

export interface Routine {
  name: string;
  sql: string;
  volatile: boolean;
  parameters: RoutineParameter[];
  /** The type of the single unnamed parameter, which receives the whole body; otherwise null. */
  wholeBody: string | null;
  returnsVoid: boolean;
  returnsSet: boolean;
  /** The columns of the returned rows; null for scalars and for records whose columns are unknown. */
  result: Relation | null;
}

/** Returns a relation that describes the rows of a function if they do not belong to a table. */
export const rowsOf = (name: string, columns: Column[]): Relation => ({
  name,
  sql: '',
  view: false,
  exposed: false,
  columns: new Map(columns.map((column) => [column.name, column])),
  primaryKey: [],
  computed: new Set(),
});

export function readRoutine(row: RoutineRow, relations: Map<number, Relation>): Routine {
  const types = row.types ?? [];
  const names = row.names ?? [];
  const modeOf = (index: number) => row.modes?.[index] ?? 'i';
  const inputs = types.flatMap((type, index) =>
    ['i', 'b', 'v'].includes(modeOf(index))
      ? [{ name: names[index] ?? '', type, required: true, variadic: modeOf(index) === 'v' }]
      : [],
  );
  inputs.forEach((input, index) => {
    // Only the last parameters can have defaults. A variadic parameter is optional.
    input.required = index < inputs.length - row.defaults && !input.variadic;
  });
  const columns = types.flatMap((type, index): Column[] =>
    ['o', 'b', 't'].includes(modeOf(index))
      ? [{ name: names[index] ?? '', type, base: type, default: null }]
      : [],
  );
  const result = row.returnsComposite
    ? (relations.get(Number(row.returnRelation)) ?? rowsOf(row.name, columns))
    : null;
  const [only] = inputs;
  return {
    name: row.name,
    sql: `"public".${quote(row.name)}`,
    volatile: row.volatility === 'v',
    parameters: inputs,
    wholeBody: inputs.length === 1 && only?.name === '' ? only.type : null,
    returnsVoid: row.returnType === 'void',
    returnsSet: row.returnsSet,
    result,
  };
}

const WHOLE_BODY_TYPES: Record<string, string[]> = {
  'application/json': ['json', 'jsonb'],
  'text/plain': ['text'],
  'text/xml': ['xml'],
  'application/octet-stream': ['bytea'],
};

/**
 * Finds the function for a call.
 * @param keys the names of the given arguments
 * @param bodyType the body's media type, or null for GET
 * @throws PGRST202 (none) or PGRST203 (several)
 */
export function findRoutine(
  schema: Schema,
  name: string,
  keys: string[],
  bodyType: string | null,
): Routine {
  const overloads = schema.routines.get(name) ?? [];
  const bodyTypes = bodyType === null ? [] : (WHOLE_BODY_TYPES[bodyType] ?? []);
  const named = overloads.filter(
    ({ parameters, wholeBody }) =>
      wholeBody === null &&
      (bodyType === null || bodyType === 'application/json') &&
      keys.every((key) => parameters.some((parameter) => parameter.name === key)) &&
      parameters.every(({ name: parameter, required }) => !required || keys.includes(parameter)),
  );
  const found =
    named.length > 0
      ? named
      : overloads.filter(({ wholeBody }) => wholeBody !== null && bodyTypes.includes(wholeBody));
  const [first, second] = found;
  if (first && !second) return first;
  if (first) {
    const candidates = found.map(
      ({ parameters }) =>
        `public.${name}(${parameters.map((each) => `${each.name} => ${each.type}`).join(', ')})`,
    );
    throw new RestError(
      300,
      'PGRST203',
      `Could not choose the best candidate function between: ${candidates.join(', ')}`,
      {
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    );
  }
  throw unknownRoutine(schema, name, keys, bodyType, overloads);
}

function unknownRoutine(
  schema: Schema,
  name: string,
  keys: string[],
  bodyType: string | null,
  overloads: Routine[],
): UnknownNameError {
  const onlyBody = bodyType !== null && bodyType !== 'application/json';
  const list = [...keys].sort().join(', ');
  const signature = keys.length === 0 ? ' without parameters' : `(${list})`;
  const parameters =
    keys.length === 0
      ? ' without parameters'
      : ` with parameter${keys.length > 1 ? 's' : ''} ${list}`;
  const searched = onlyBody
    ? ` with a single unnamed ${WHOLE_BODY_TYPES[bodyType]?.[0] ?? 'text'} parameter`
    : `${parameters}${bodyType === null ? '' : ' or with a single unnamed json/jsonb parameter'}`;
  let meant: string | null;
  if (overloads.length === 0) meant = didYouMean(name, schema.routines.keys());
  else {
    const signatures = overloads.map(
      (each) =>
        `(${each.parameters
          .map((p) => p.name)
          .sort()
          .join(', ')})`,
    );
    const near = didYouMean(`(${list})`, signatures);
    meant = near === null ? null : `${name}${near}`;
  }
  return new UnknownNameError(
    404,
    'PGRST202',
    `Could not find the function public.${name}${onlyBody ? '' : signature} in the schema cache`,
    {
      details: `Searched for the function public.${name}${searched}, but no matches were found in the schema cache.`,
      hint:
        meant === null || onlyBody
          ? null
          : `Perhaps you meant to call the function public.${meant}`,
    },
  );
}
