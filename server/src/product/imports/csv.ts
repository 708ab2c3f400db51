// Tables as people write them: whatever separates their cells, in the first line the names of their columns.
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { StartError } from '#/host/lib/start-error.ts';
import { beginning } from '#/product/imports/decode.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/** The separator that is most frequent in the header, outside of quotes. */
function separatorOf(content: string): string {
  const [header = ''] = content.trimStart().split(/\r?\n/, 1);
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counted = SEPARATORS.map((sign) => [bare.split(sign).length, sign] as const);
  return counted.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
}

/** `text`: from its beginning, in pieces. Throws StartError while it is read, where it is no table. */
export async function* readCsv(
  text: AsyncIterable<string>,
): AsyncGenerator<Record<string, string>> {
  const { head, whole } = await beginning(text, /\S.*\n/);
  const rows = parse({
    columns: true,
    delimiter: separatorOf(head),
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
  });
  // What goes wrong before the parser ends it, too.
  pipeline(Readable.from(whole, { objectMode: false }), rows, () => undefined);
  try {
    for await (const row of rows) yield row as Record<string, string>;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The file is no CSV: ${(error as Error).message}.`, { cause: error });
  }
}
