// A mapping file assigns meanings to the columns and values of a file, such as a city's open data.
import * as v from 'valibot';
import { COLUMN_NAMES } from '#/product/imports/validate-park.ts';
import type { Values } from '#/product/imports/osm-tags.ts';
import { foldWord } from '#/product/imports/values.ts';
import { StartError } from '#/host/lib/start-error.ts';

const column = v.picklist(
  COLUMN_NAMES,
  (issue) => `${issue.received} is not a column of Packpark: use ${COLUMN_NAMES.join(', ')}`,
);
const cell = v.union([v.string(), v.number(), v.boolean()]);

const mappingSchema = v.strictObject({
  /** Maps a column of the file to a column of Packpark. */
  columns: v.optional(v.record(v.string(), column), {}),
  /** For a column of Packpark: maps a value of the file to a value of Packpark. */
  values: v.optional(v.record(column, v.record(v.string(), cell)), {}),
  fixed: v.optional(v.record(column, cell), {}),
  /** Names of columns that are ignored. */
  ignore: v.optional(v.array(v.string()), []),
  /** Restricts the import to dog parks: for a column, the values that its rows must have. */
  only: v.optional(v.record(v.string(), v.array(cell)), {}),
});

export type Mapping = v.InferOutput<typeof mappingSchema>;

/** The mapping for files that use Packpark's own names and values. */
export const NO_MAPPING: Mapping = { columns: {}, values: {}, fixed: {}, ignore: [], only: {} };

/** @throws StartError that describes the error in the file */
export function parseMapping(text: string): Mapping {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), mappingSchema), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue);
  throw new StartError(
    `The mapping file is wrong${place ? ` at ${place}` : ''}: ${issue.message}.`,
  );
}

/** Normalises a column's name: lower case, one style of quotes, no surrounding spaces. */
export const foldName = (name: string): string =>
  name.normalize('NFC').trim().toLowerCase().replaceAll(/[״”“]/g, '"').replaceAll(/[׳’‘]/g, "'");

/** Returns true if the mapping includes the row. */
export const isWanted = (mapping: Mapping, values: Values): boolean =>
  Object.entries(mapping.only).every(([name, wanted]) =>
    wanted.some((one) => String(one) === String(values[foldName(name)] ?? '').trim()),
  );

/** Returns the row's values under Packpark's names. Columns without a mapping keep their names. */
export function mapped(mapping: Mapping, values: Values): Values {
  const result: Values = { ...values };
  // All mapped columns are removed first, because a column of the file may have the name of another column of Packpark.
  for (const theirs of [...Object.keys(mapping.columns), ...mapping.ignore])
    result[foldName(theirs)] = undefined;
  for (const [theirs, ours] of Object.entries(mapping.columns)) {
    const value = values[foldName(theirs)];
    if (value !== undefined) result[ours] = value;
  }
  return { ...result, ...mapping.fixed };
}

/** Returns the value that the mapping defines for a value of a column, or the value itself. Case is ignored. */
export function meaningOf(mapping: Mapping, column: string, value: unknown): unknown {
  const meanings = Object.hasOwn(mapping.fixed, column) ? undefined : mapping.values[column];
  if (meanings === undefined) return value;
  const written = foldWord(value);
  const found = Object.entries(meanings).find(([theirs]) => foldWord(theirs) === written);
  return found ? found[1] : value;
}
