// Parses CSV files, which may have any separator and missing quotes. The first line contains the column names.
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { StartError } from '#/host/lib/start-error.ts';
import { beginning } from '#/product/imports/decode.ts';

const SEPARATORS = [',', ';', '\t', '|'];
/** Excel's optional first line that specifies the separator, such as `sep=;`. */
const SEPARATOR_LINE = /^\s*"?sep=(.)"?\r?\n/i;
/** Maximum length of a record. In a longer record, a closing quote is missing. */
const MAX_RECORD = 8 * 2 ** 20;

/** Returns the separator that occurs most often in the header, outside of quotes. */
function separatorOf(header: string): string {
  const counted = SEPARATORS.map((sign) => {
    const quoted = new RegExp(`(^|\\${sign})\\s*"(?:[^"]|"")*"(?=\\s*(\\${sign}|$))`, 'g');
    return [header.replaceAll(quoted, '$1').split(sign).length, sign] as const;
  });
  return counted.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
}

/** Maximum number of lines in a quoted cell. In a longer cell, the closing quote is missing. */
const MAX_LINES = 100;

interface QuotedCell {
  /** The index of the closing quote. */
  end: number;
  /** The cell's content, with all quotes doubled. */
  content: string;
}

/**
 * Reads a quoted cell, which may contain quotes that are not doubled, as in "רח' צה"ל 3".
 * @param from the index after the opening quote
 * @returns `more` if the cell continues after the text, `stray` if the quote does not open a cell
 */
function quotedCell(
  text: string,
  from: number,
  separator: string,
  isWhole: boolean,
): QuotedCell | 'more' | 'stray' {
  let content = '';
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    const read = text.slice(from, quote === -1 ? undefined : quote);
    const lines = read.split('\n').length - 1;
    if (lines > MAX_LINES || read.length > MAX_RECORD) return 'stray';
    if (quote === -1) return isWhole ? 'stray' : 'more';
    content += text.slice(at, quote);
    const after = /[^ ]/g;
    after.lastIndex = quote + 1;
    const next = after.exec(text)?.[0];
    if (next === undefined && !isWhole) return 'more';
    if (text[quote + 1] === '"') {
      content += '""';
      at = quote + 2;
    } else if (next === undefined || next === separator || next === '\n' || next === '\r')
      return { end: quote, content };
    else {
      // Another cell starts here, so the opening quote has no closing quote.
      const before = read.trimEnd().at(-1) ?? '';
      if (lines > 0 && (before === separator || /\n *$/.test(read))) return 'stray';
      content += '""';
      at = quote + 1;
    }
  }
}

/**
 * Doubles the quotes inside quoted cells and removes unmatched opening quotes, so that one invalid row does not affect other rows.
 */
async function* repairQuotes(text: AsyncIterable<string>, separator: string) {
  let rest = '';
  let startsCell = true;
  function repaired(isWhole: boolean): string {
    let result = '';
    let at = 0;
    const special = new RegExp(`["\\n\\${separator}]|[^ "\\n\\${separator}]+`, 'g');
    for (let found = special.exec(rest); found; found = special.exec(rest)) {
      const [sign] = found;
      result += rest.slice(at, found.index);
      at = found.index;
      if (sign === '"' && startsCell) {
        const cell = quotedCell(rest, at + 1, separator, isWhole);
        if (cell === 'more') break;
        if (cell !== 'stray') {
          result += `"${cell.content}"`;
          at = cell.end + 1;
        } else at += 1;
        startsCell = false;
      } else {
        result += sign;
        at += sign.length;
        startsCell = sign === '\n' || sign === separator;
      }
      special.lastIndex = at;
    }
    rest = rest.slice(at);
    return result;
  }
  for await (const piece of text) {
    rest += piece;
    yield repaired(false);
  }
  yield repaired(true);
}

async function* withoutFirstLine(text: AsyncIterable<string>) {
  let isBefore = true;
  for await (const piece of text) {
    yield isBefore ? piece.replace(SEPARATOR_LINE, '') : piece;
    isBefore = false;
  }
}

/** A record that could not be parsed. */
export class BrokenRecord {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * @param text the whole text, in pieces
 * @throws StartError while it is read, if the file is not a table
 */
export async function* readCsv(
  text: AsyncIterable<string>,
): AsyncGenerator<Record<string, string> | BrokenRecord> {
  const { head, whole } = await beginning(
    text,
    (read) => read.trimStart().split('\n', 3).length === 3,
  );
  const [, named] = SEPARATOR_LINE.exec(head) ?? [];
  const [header = ''] = head.replace(SEPARATOR_LINE, '').trimStart().split(/\r?\n/, 1);
  const separator = named ?? separatorOf(header);
  const table = named === undefined ? whole : withoutFirstLine(whole);
  const broken: BrokenRecord[] = [];
  const rows = parse({
    columns: (names: string[]) => names.map((name) => (name.trim() === '' ? false : name)),
    delimiter: separator,
    trim: true,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD,
    skip_records_with_error: true,
    on_skip: (error) => void broken.push(new BrokenRecord(error?.message ?? '')),
  });
  // If the source fails, the parser fails with the same error.
  pipeline(
    Readable.from(repairQuotes(table, separator), { objectMode: false }),
    rows,
    () => undefined,
  );
  try {
    for await (const row of rows) {
      yield* broken.splice(0);
      const cells = row as Record<string, string>;
      // Spreadsheets append lines that contain only separators.
      if (Object.values(cells).some((cell) => cell !== '')) yield cells;
    }
    yield* broken;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The file is not a table: ${(error as Error).message}.`, { cause: error });
  }
}
