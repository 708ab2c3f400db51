// Reads one long array of a JSON file value by value: only the value at hand is in memory.
import { StartError } from '#/host/lib/start-error.ts';

const noJson = (why: string, cause?: unknown) =>
  new StartError(`The file is no JSON: ${why}.`, { cause });

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw noJson((error as Error).message, error);
  }
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);
const SPACE = 32;

/** The text from where it has been read on, in pieces as they come. */
class Tokens {
  readonly #pieces: AsyncIterator<string>;
  #text = '';
  #at = 0;

  constructor(pieces: AsyncIterable<string>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done) return false;
    this.#text = this.#text.slice(this.#at) + value;
    this.#at = 0;
    return true;
  }

  /** The next character that is no space, which stays to be read; empty at the end. */
  async peek(): Promise<string> {
    do {
      while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) <= SPACE)
        this.#at += 1;
      if (this.#at < this.#text.length) return this.#text.charAt(this.#at);
    } while (await this.#more());
    return '';
  }

  /** Reads a sign that is one of these. @throws StartError */
  async sign(expected: string): Promise<string> {
    const found = await this.peek();
    if (found === '' || !expected.includes(found))
      throw noJson(found === '' ? 'its end is missing' : `"${found}" stands where it may not`);
    this.#at += 1;
    return found;
  }

  /** Reads one value. @throws StartError */
  async value(): Promise<unknown> {
    await this.peek();
    let depth = 0;
    let inString = false;
    let length = 0;
    for (;;) {
      const text = this.#text;
      let index = this.#at + length;
      for (; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        if (inString) {
          if (code === BACKSLASH) index += 1;
          else if (code === QUOTE) {
            inString = false;
            if (depth === 0) return this.#take(index + 1);
          }
        } else if (code === QUOTE) inString = true;
        else if (OPENING.has(code)) depth += 1;
        else if (CLOSING.has(code)) {
          depth -= 1;
          if (depth <= 0) return this.#take(depth === 0 ? index + 1 : index);
        } else if (depth === 0 && (code === COMMA || code <= SPACE)) return this.#take(index);
      }
      length = index - this.#at;
      if (!(await this.#more())) throw noJson('its end is missing');
    }
  }

  #take(end: number): unknown {
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    return parse(text);
  }
}

/** An array of the file, and the members of the file that stand before it. */
interface JsonRows {
  name: string;
  before: Record<string, unknown>;
  rows: AsyncGenerator<unknown>;
}

async function member(tokens: Tokens): Promise<string> {
  const name = await tokens.value();
  await tokens.sign(':');
  return String(name);
}

async function* rowsOf(tokens: Tokens): AsyncGenerator<unknown> {
  await tokens.sign('[');
  if ((await tokens.peek()) === ']') await tokens.sign(']');
  else
    do yield await tokens.value();
    while ((await tokens.sign(',]')) === ',');
  // What follows is of no interest, but a file that ends too early must not look whole.
  while ((await tokens.sign(',}')) === ',') {
    await member(tokens);
    await tokens.value();
  }
  if ((await tokens.peek()) !== '') throw noJson('something follows its end');
}

/**
 * Reads up to the first of the arrays that are looked for.
 * @returns null where the file has none of them
 * @throws StartError, also while the rows are read, where it is no JSON
 */
export async function openJsonRows(
  pieces: AsyncIterable<string>,
  names: readonly string[],
): Promise<JsonRows | null> {
  const tokens = new Tokens(pieces);
  if ((await tokens.peek()) !== '{') return null;
  await tokens.sign('{');
  if ((await tokens.peek()) === '}') return null;
  const before: Record<string, unknown> = {};
  do {
    const name = await member(tokens);
    if (names.includes(name) && (await tokens.peek()) === '[')
      return { name, before, rows: rowsOf(tokens) };
    before[name] = await tokens.value();
  } while ((await tokens.sign(',}')) === ',');
  return null;
}
