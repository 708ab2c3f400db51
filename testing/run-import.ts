// Imports a file's content in process, split in the middle of words and characters, and returns what was printed.
import type pg from 'pg';
import { importParks, type ImportOptions } from '#/product/imports/import-parks.ts';
import { parseMapping } from '#/product/imports/mapping-file.ts';

type Content = string | Uint8Array | object;

export interface RunOptions extends Partial<Omit<ImportOptions, 'mapping' | 'shelters'>> {
  source?: string;
  licence?: string;
  city?: string;
  mapping?: unknown;
  shelters?: Content;
}

const bytesOf = (content: Content): Uint8Array =>
  content instanceof Uint8Array
    ? content
    : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));

async function* inPieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 7)
    yield await Promise.resolve(bytes.subarray(at, at + 7));
}

export async function runImport(client: pg.ClientBase, content: Content, options: RunOptions = {}) {
  const { source, licence, city, mapping = {}, shelters, ...others } = options;
  const told = { result: '', notes: [] as string[], any: false };
  told.any = await importParks(
    client,
    () => inPieces(bytesOf(content)),
    {
      file: 'parks.csv',
      skipUnknown: false,
      said: { source, licence, city },
      mapping: parseMapping(JSON.stringify(mapping)),
      shelters: shelters === undefined ? undefined : () => inPieces(bytesOf(shelters)),
      status: 'approved',
      dryRun: false,
      ...others,
    },
    { result: (line) => (told.result = line), note: (line) => told.notes.push(line) },
  );
  return told;
}
