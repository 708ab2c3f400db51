// A mapping file: what the columns and values of a file mean, such as a city's open data.
import * as v from 'valibot';
import { COLUMN_NAMES } from '#/product/imports/validate-park.ts';
import type { Values } from '#/product/imports/osm-tags.ts';
import { StartError } from '#/host/lib/start-error.ts';

const column = v.picklist(
  COLUMN_NAMES,
  (issue) => `${issue.received} is not a column of Packpark: use ${COLUMN_NAMES.join(', ')}`,
);
const cell = v.union([v.string(), v.number(), v.boolean()]);

const mappingSchema = v.strictObject({
  /** From a column of the file to a column of Packpark. */
  columns: v.optional(v.record(v.string(), column), {}),
  /** For a column of Packpark: from a value of the file to a value of Packpark. */
  values: v.optional(v.record(column, v.record(v.string(), cell)), {}),
  fixed: v.optional(v.record(column, cell), {}),
  /** Columns (by their names) that are not read, whatever they are called. */
  ignore: v.optional(v.array(v.string()), []),
  /** Only rows whose column (by their name) has one of these values are dog parks. */
  only: v.optional(v.record(v.string(), v.array(cell)), {}),
});

export type Mapping = v.InferOutput<typeof mappingSchema>;

/** For a file with the names and values of Packpark. */
export const NO_MAPPING: Mapping = { columns: {}, values: {}, fixed: {}, ignore: [], only: {} };

/** @throws StartError that names what is wrong in the file */
export function parseMapping(text: string): Mapping {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), mappingSchema), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue);
  throw new StartError(
    `The mapping file is wrong${place ? ` at ${place}` : ''}: ${issue.message}.`,
  );
}

/** One spelling of a column's name: in lower case, with one kind of quotes, without spaces around it. */
export const foldName = (name: string): string =>
  name.normalize('NFC').trim().toLowerCase().replaceAll(/[״”“]/g, '"').replaceAll(/[׳’‘]/g, "'");

/** Whether the mapping wants a row. */
export const isWanted = (mapping: Mapping, values: Values): boolean =>
  Object.entries(mapping.only).every(([name, wanted]) =>
    wanted.some((one) => String(one) === String(values[foldName(name)] ?? '').trim()),
  );

/** The row's values under the names of Packpark. Columns that the mapping does not name stay as they are. */
export function mapped(mapping: Mapping, values: Values): Values {
  const result: Values = { ...values };
  // First all mapped columns are cleared, because one may have the name of another column of Packpark.
  for (const theirs of [...Object.keys(mapping.columns), ...mapping.ignore])
    result[foldName(theirs)] = undefined;
  for (const [theirs, ours] of Object.entries(mapping.columns)) {
    const value = values[foldName(theirs)];
    if (value !== undefined) result[ours] = value;
  }
  for (const [ours, meanings] of Object.entries(mapping.values)) {
    const value = String(result[ours] ?? '').trim();
    if (Object.hasOwn(meanings, value)) result[ours] = meanings[value];
  }
  return { ...result, ...mapping.fixed };
}
