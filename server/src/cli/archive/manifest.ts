// The archive's list of contents, its last entry: an archive without it, or that differs from it, is not whole.
import * as v from 'valibot';
import { StartError } from '#/host/lib/start-error.ts';

export const MANIFEST = 'manifest.json';

const names = v.array(v.string());
const manifestSchema = v.object({
  format: v.literal(1),
  made_at: v.string(),
  /** The ids of the schema's steps that were applied. */
  bootstrap: names,
  migrations: names,
  tables: v.array(
    v.object({
      schema: v.string(),
      name: v.string(),
      columns: names,
      /** The columns of the primary key; empty where there is none. */
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
      /** The last value given, or null where none was. */
      last: v.nullable(v.string()),
    }),
  ),
  /** Stored pictures and lists, by the version that names their bytes. */
  files: v.array(v.object({ version: v.pipe(v.string(), v.uuid()), sha256: v.string() })),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;

/** @throws StartError where it is no manifest that this Packpark can read */
export function parseManifest(text: string): Manifest {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), text);
  if (!result.success)
    throw new StartError('The archive was not made by a Packpark that this one can follow.');
  return result.output;
}

/** A table's place in the archive. */
export const tableEntry = ({ schema, name }: { schema: string; name: string }): string =>
  `database/${schema}.${name}.copy`;
/** A stored file's place in the archive; `version` is its UUID. */
export const fileEntry = (version: string): string => `files/${version}`;
