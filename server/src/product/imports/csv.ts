// Tables as people write them: whatever separates their cells, in the first line the names of their columns.
import { parse } from 'csv-parse/sync';
import { StartError } from '#/host/lib/start-error.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/** The separator that is most frequent in the header, outside of quotes. */
function separatorOf(content: string): string {
  const [header = ''] = content.trimStart().split(/\r?\n/, 1);
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counted = SEPARATORS.map((sign) => [bare.split(sign).length, sign] as const);
  return counted.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
}

/** @throws StartError when it is no table */
export function readCsv(content: string): Record<string, string>[] {
  try {
    return parse(content, {
      columns: true,
      delimiter: separatorOf(content),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
    });
  } catch (error) {
    throw new StartError(`The file is no CSV: ${(error as Error).message}.`, { cause: error });
  }
}
