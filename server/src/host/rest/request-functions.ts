// Which code of the database may look at the request, or set the answer's status: all other reads need not be told of it.

/** A function, a view or a table, with its SQL: the body, the definition, or the policies. */
export interface CodeRow {
  name: string;
  text: string;
}

/** The claims are always set. SQL that is put together at run time may name anything. */
const READS = /\brequest\.(?!jwt\b)|\bresponse\.|\bexecute\b/i;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Tells of a name whether its code reads the request, by itself or through code whose name stands in it. */
export function findRequestReaders(rows: readonly CodeRow[]): (name: string) => boolean {
  const word = (name: string) => wordsOf(name)[0] ?? name;
  const code = rows.map(({ name, text }) => ({
    name: word(name),
    reads: READS.test(text),
    words: wordsOf(text),
  }));
  const readers = new Set<string>();
  let known: number;
  do {
    known = readers.size;
    for (const { name, reads, words } of code)
      if (reads || words.some((each) => readers.has(each))) readers.add(name);
  } while (readers.size > known);
  return (name) => readers.has(word(name));
}
