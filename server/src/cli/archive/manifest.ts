// The archive's table of contents. It is the last entry, so an archive without it is incomplete.
import * as v from 'valibot';
import { StartError } from '#/host/lib/start-error.ts';

export const MANIFEST = 'manifest.json';

const names = v.array(v.string());
const manifestSchema = v.object({
  format: v.literal(1),
  created_at: v.string(),
  /** IDs of the migrations that were applied. */
  bootstrap: names,
  migrations: names,
  tables: v.array(
    v.object({
      schema: v.string(),
      name: v.string(),
      columns: names,
      /** Columns of the primary key; empty if there is none. */
      key: names,
      bytes: v.number(),
      rows: v.number(),
      sha256: v.string(),
    }),
  ),
  sequences: v.array(
    v.object({
      schema: v.string(),
      name: v.string(),
      /** The last value of the sequence; null if it has not been used. */
      last: v.nullable(v.string()),
    }),
  ),
  /** Stored files, by the version under which their bytes are stored. */
  files: v.array(v.object({ version: v.pipe(v.string(), v.uuid()), sha256: v.string() })),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;

/** @throws StartError if this version cannot read the manifest */
export function parseManifest(text: string): Manifest {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), text);
  if (!result.success)
    throw new StartError('The archive was not made by a Packpark that this one can follow.');
  return result.output;
}

/** Name of a table's entry in the archive. */
export const tableEntry = ({ schema, name }: { schema: string; name: string }): string =>
  `database/${schema}.${name}.copy`;
/** Name of a stored file's entry in the archive. `version` is a UUID. */
export const fileEntry = (version: string): string => `files/${version}`;
