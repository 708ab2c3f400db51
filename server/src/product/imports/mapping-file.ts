// A mapping file: says what the columns and values of somebody's file mean, such as a city's open data.
import * as v from 'valibot';
import { COLUMN_NAMES } from '#/product/imports/park-row.ts';
import type { Values } from '#/product/imports/osm-tags.ts';
import { StartError } from '#/host/lib/start-error.ts';

const column = v.picklist(
  COLUMN_NAMES,
  (issue) => `${issue.received} is no column of ours: use ${COLUMN_NAMES.join(', ')}`,
);
const cell = v.union([v.string(), v.number(), v.boolean()]);

const mappingSchema = v.strictObject({
  /** From their name of a column to ours. */
  columns: v.optional(v.record(v.string(), column), {}),
  /** For one of our columns: from their value to ours. */
  values: v.optional(v.record(column, v.record(v.string(), cell)), {}),
  fixed: v.optional(v.record(column, cell), {}),
  /** Only rows whose column (by their name) has one of these values are dog parks. */
  only: v.optional(v.record(v.string(), v.array(cell)), {}),
});

export type Mapping = v.InferOutput<typeof mappingSchema>;

/** For a file whose names and values are ours. */
export const NO_MAPPING: Mapping = { columns: {}, values: {}, fixed: {}, only: {} };

/** @throws StartError that says what is wrong in the file */
export function parseMapping(text: string): Mapping {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), mappingSchema), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue);
  throw new StartError(
    `The mapping file is wrong${place ? ` at ${place}` : ''}: ${issue.message}.`,
  );
}

/** One way of writing a column's name: without case, and without space around it. */
export const foldName = (name: string): string => name.trim().toLowerCase();

/** Whether a row is one of those that the mapping asks for. */
export const isWanted = (mapping: Mapping, values: Values): boolean =>
  Object.entries(mapping.only).every(([name, wanted]) =>
    wanted.some((one) => String(one) === String(values[foldName(name)] ?? '').trim()),
  );

/** The row's values under our names. Columns that the mapping does not name stay as they are. */
export function mapped(mapping: Mapping, values: Values): Values {
  const result: Values = { ...values };
  // First all of theirs go, because a name of theirs may be another one of ours.
  for (const theirs of Object.keys(mapping.columns)) result[foldName(theirs)] = undefined;
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
