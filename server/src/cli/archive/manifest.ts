// The manifest of a backup archive: it lists the content and the hashes. It is the last entry, so an archive without it is
// incomplete.
import * as v from 'valibot';
import { StartError } from '#/host/lib/start-error.ts';

export const MANIFEST = 'manifest.json';

const names = v.array(v.string());
const manifestSchema = v.object({
  format: v.literal(1),
  created_at: v.string(),
  bootstrap: names,
  migrations: names,
  tables: v.array(
    v.object({
      schema: v.string(),
      name: v.string(),
      columns: names,
      /** Columns of the primary key; empty if the table has none. */
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
      /** Null if the sequence has not been used. */
      last: v.nullable(v.string()),
    }),
  ),
  /** Stored files. The version is the UUID under which a file's bytes are stored. */
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

export const tableEntry = ({ schema, name }: { schema: string; name: string }): string =>
  `database/${schema}.${name}.copy`;
export const fileEntry = (version: string): string => `files/${version}`;
