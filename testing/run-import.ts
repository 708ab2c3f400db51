// Imports a file's content in this process, in pieces that end within words and letters, and returns the report and its lines.
import type pg from 'pg';
import { importParks, type ImportOptions } from '#/product/imports/import-parks.ts';
import { parseMapping } from '#/product/imports/mapping-file.ts';
import { noteLines, oddLines, resultLine } from '#/product/imports/report-lines.ts';

type Content = string | Uint8Array | object;

export interface RunOptions extends Partial<
  Omit<ImportOptions, 'mapping' | 'shelters' | 'decisions' | 'site'>
> {
  source?: string | undefined;
  licence?: string | undefined;
  city?: string;
  mapping?: unknown;
  shelters?: Content;
  same?: Record<string, number>;
  new?: string[];
  site?: Partial<ImportOptions['site']>;
  dryRun?: boolean;
}

const bytesOf = (content: Content): Uint8Array =>
  content instanceof Uint8Array
    ? content
    : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));

/** Yields small files in pieces of a few bytes. */
async function* inPieces(bytes: Uint8Array) {
  const step = bytes.length > 5000 ? 65_536 : 7;
  for (let at = 0; at < bytes.length; at += step)
    yield await Promise.resolve(bytes.subarray(at, at + step));
}

export async function runImport(client: pg.ClientBase, content: Content, options: RunOptions = {}) {
  const {
    source,
    licence,
    city,
    mapping = {},
    shelters,
    same = {},
    site,
    dryRun = false,
  } = options;
  const notes: string[] = [];
  const report = await importParks(client, () => inPieces(bytesOf(content)), {
    file: 'parks.csv',
    skipUnknown: false,
    status: 'approved',
    confirm: () => Promise.resolve(!dryRun),
    note(line) {
      // Progress lines are ignored, because they depend on the machine's speed.
      if (!line.startsWith('… ')) notes.push(line);
    },
    ...options,
    defaults: { source, licence, city },
    mapping: parseMapping(JSON.stringify(mapping)),
    shelters: shelters === undefined ? undefined : () => inPieces(bytesOf(shelters)),
    decisions: { same: new Map(Object.entries(same)), new: options.new ?? [] },
    site: { countries: ['il'], start: null, ...site },
  });
  notes.push(...noteLines(report, dryRun));
  return { report, result: resultLine(report), notes, odd: oddLines(report) };
}
