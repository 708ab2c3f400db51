// Decodes the bytes of a file: UTF-8, UTF-16, and the Windows encodings of Hebrew and Arabic.
import { StartError } from '#/host/lib/start-error.ts';

/** Opens a file from its start. It is read more than once, because the encoding is detected first. */
export type OpenFile = () => AsyncIterable<Uint8Array>;

const MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Fraction of the non-ASCII characters that must be in words of a script, so that the script counts as recognised. */
const ENOUGH = 0.8;

/**
 * Decodes a file to text, in pieces.
 * @param encoding a name that TextDecoder supports
 * @throws StartError if the bytes are invalid in this encoding
 */
export async function* decoded(open: OpenFile, encoding: string): AsyncGenerator<string> {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    for await (const bytes of open()) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof RangeError)
      throw new StartError(`There is no encoding "${encoding}".`, { cause: error });
    if (error instanceof TypeError)
      throw new StartError(`The file is not ${encoding}.`, { cause: error });
    throw error;
  }
}

/**
 * Reads a text until `isEnough` returns true, or to its end.
 * @returns the text that was read, and the whole text
 */
export async function beginning(text: AsyncIterable<string>, isEnough: (head: string) => boolean) {
  const pieces = text[Symbol.asyncIterator]();
  let head = '';
  while (!isEnough(head)) {
    const { done, value } = await pieces.next();
    if (done) break;
    head += value;
  }
  async function* whole() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { head, whole: whole() };
}

/** Returns true if the bytes of a file are valid in an encoding. */
async function fits(
  open: OpenFile,
  encoding: string,
  inspect: (text: string) => void,
): Promise<boolean> {
  try {
    for await (const text of decoded(open, encoding)) inspect(text);
    return true;
  } catch (error) {
    if (error instanceof StartError) return false;
    throw error;
  }
}

/** Returns true if the non-ASCII characters form words of a script. Such words contain no Latin letters. */
async function isWritten(open: OpenFile, encoding: string, script: string): Promise<boolean> {
  const word = new RegExp(`(?<![A-Za-z])\\p{Script=${script}}{2,}(?![A-Za-z])`, 'gu');
  let beyond = 0;
  let inWords = 0;
  /** A word that may continue in the next piece. */
  let rest = '';
  const inspect = (text: string) => {
    beyond += text.match(/[^\0-\x7f]/gu)?.length ?? 0;
    inWords += (text.match(word) ?? []).join('').length;
  };
  const whole = await fits(open, encoding, (piece) => {
    const read = rest + piece;
    const last = Math.max(0, read.length - 100);
    const begun = last + read.slice(last).search(/\S*$/);
    inspect(read.slice(0, begun));
    rest = read.slice(begun);
  });
  inspect(rest);
  return whole && inWords / Math.max(1, beyond) >= ENOUGH;
}

/** Number of bytes that are read to detect the encoding. */
const INSPECTED = 200;

/** Detects the encoding by the byte order mark or by the zero bytes of UTF-16. */
async function markOf(open: OpenFile): Promise<string | undefined> {
  const first: number[] = [];
  for await (const bytes of open()) {
    first.push(...bytes.subarray(0, INSPECTED));
    if (first.length >= INSPECTED) break;
  }
  const named = MARKS.find(([, mark]) => mark.every((byte, index) => first[index] === byte));
  if (named) return named[0];
  const zeros = (rest: number) =>
    first.filter((byte, index) => byte === 0 && index % 2 === rest).length;
  const isUtf16 = (rest: number) => zeros(rest) > first.length / 8 && zeros(1 - rest) === 0;
  return isUtf16(1) ? 'utf-16le' : isUtf16(0) ? 'utf-16be' : undefined;
}

/** @throws StartError if the encoding is not recognised */
export async function findEncoding(open: OpenFile): Promise<string> {
  const encoding = (await markOf(open)) ?? 'utf-8';
  if (await fits(open, encoding, () => undefined)) return encoding;
  // Hebrew is tried first. Arabic text that is decoded as Windows-1255 consists mostly of vowel points instead of words, so it is
  // not mistaken for Hebrew.
  const candidates = [
    ['windows-1255', 'Hebrew'],
    ['windows-1256', 'Arabic'],
  ] as const;
  for (const [name, script] of candidates) if (await isWritten(open, name, script)) return name;
  throw new StartError(
    'The file is not UTF-8, and it looks like neither Hebrew (Windows-1255) nor Arabic (Windows-1256): save it as UTF-8, or name its encoding with --encoding, such as --encoding windows-1252.',
  );
}
