// Turns the bytes of a file into text: UTF-8 and UTF-16 as they say themselves, else the Windows encodings of Hebrew and Arabic.
import { StartError } from '#/host/lib/start-error.ts';

/** The name is one that TextDecoder knows. */
export interface Decoded {
  text: string;
  encoding: string;
}

const MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Which share of the characters beyond ASCII must be words of a script for it to be recognised. */
const ENOUGH = 0.8;

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError)
      throw new StartError(`There is no encoding "${encoding}".`, { cause: error });
    return null;
  }
}

/** The share of a script's words among the characters beyond ASCII. A word of it has no Latin letters in it. */
function shareOf(text: string, script: string): number {
  const beyond = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const words = text.match(new RegExp(`(?<![A-Za-z])\\p{Script=${script}}{2,}(?![A-Za-z])`, 'gu'));
  return (words ?? []).join('').length / Math.max(1, beyond);
}

/**
 * @param wanted the encoding that the operator names, or undefined to find it
 * @throws StartError where it cannot be told
 */
export function decodeFile(bytes: Uint8Array, wanted?: string): Decoded {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  const encoding = wanted ?? marked ?? 'utf-8';
  const text = decode(bytes, encoding);
  if (text !== null) return { text, encoding };
  if (wanted !== undefined) throw new StartError(`The file is not ${wanted}.`);
  // Arabic bytes are mostly vowel points in Windows-1255, so that the first of the two that fits is the right one.
  const candidates = [
    ['windows-1255', 'Hebrew'],
    ['windows-1256', 'Arabic'],
  ] as const;
  for (const [name, script] of candidates) {
    const found = decode(bytes, name);
    if (found !== null && shareOf(found, script) >= ENOUGH) return { text: found, encoding: name };
  }
  throw new StartError(
    'The file is not UTF-8, and it looks like neither Hebrew (Windows-1255) nor Arabic (Windows-1256): save it as UTF-8, or name its encoding with --encoding, such as --encoding windows-1252.',
  );
}
