// Reads a long array in a JSON file element by element, so that only one element is in memory.
import { StartError } from '#/host/lib/start-error.ts';

const noJson = (why: string, cause?: unknown) =>
  new StartError(`The file is not valid JSON: ${why}.`, { cause });

/** Maximum length of a value. A longer value cannot be a park. */
const MAX_VALUE = 32 * 2 ** 20;

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

/** Reads tokens from a text that arrives in pieces. */
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

  /** Returns the next character that is not a space, without consuming it; empty at the end. */
  async peek(): Promise<string> {
    do {
      while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) <= SPACE)
        this.#at += 1;
      if (this.#at < this.#text.length) return this.#text.charAt(this.#at);
    } while (await this.#more());
    return '';
  }

  /**
   * Reads a character that must be one of `expected`.
   * @throws StartError
   */
  async sign(expected: string): Promise<string> {
    const found = await this.peek();
    if (found === '' || !expected.includes(found))
      throw noJson(
        found === ''
          ? 'its end is missing'
          : `"${found}" is where "${[...expected].join('" or "')}" belongs`,
      );
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
      if (length > MAX_VALUE) throw noJson(`a value has more than ${MAX_VALUE} characters`);
      if (!(await this.#more())) {
        // A number or a word may end at the end of the file.
        if (depth === 0 && !inString && length > 0) return this.#take(this.#text.length);
        throw noJson('its end is missing');
      }
    }
  }

  #take(end: number): unknown {
    const text = this.#text.slice(this.#at, end);
    this.#at = end;
    return parse(text);
  }
}

/** An array in the file, and the members before it. */
interface JsonRows {
  /** The name of the array; `lines` if the file has one feature per line, `array` if the file itself is an array. */
  name: string;
  before: Record<string, unknown>;
  rows: AsyncIterable<unknown>;
}

async function member(tokens: Tokens): Promise<string> {
  const name = await tokens.value();
  await tokens.sign(':');
  return String(name);
}

async function* elementsOf(tokens: Tokens): AsyncGenerator<unknown> {
  await tokens.sign('[');
  if ((await tokens.peek()) === ']') await tokens.sign(']');
  else
    do yield await tokens.value();
    while ((await tokens.sign(',]')) === ',');
}

async function* membersAfter(tokens: Tokens): AsyncGenerator<unknown> {
  yield* elementsOf(tokens);
  // The members after the array are not used. They are read because a truncated file must be detected.
  while ((await tokens.sign(',}')) === ',') {
    await member(tokens);
    await tokens.value();
  }
  if ((await tokens.peek()) !== '') throw noJson('something follows its end');
}

/** Reads the remaining values of a file with one value per line. */
async function* linesAfter(tokens: Tokens, first: unknown): AsyncGenerator<unknown> {
  yield first;
  while ((await tokens.peek()) !== '') yield await tokens.value();
}

/**
 * Reads up to the first array with one of the names.
 * @returns null if the file has no such array and is not an array or a list of features
 * @throws StartError if the file is not JSON; also thrown while the rows are read
 */
export async function openJsonRows(
  pieces: AsyncIterable<string>,
  names: readonly string[],
): Promise<JsonRows | null> {
  const tokens = new Tokens(pieces);
  const before: Record<string, unknown> = {};
  if ((await tokens.peek()) === '[') return { name: 'array', before, rows: elementsOf(tokens) };
  await tokens.sign('{');
  if ((await tokens.peek()) === '}') return null;
  do {
    const name = await member(tokens);
    if (names.includes(name) && (await tokens.peek()) === '[')
      return { name, before, rows: membersAfter(tokens) };
    before[name] = await tokens.value();
  } while ((await tokens.sign(',}')) === ',');
  if (before.type === 'Topology')
    throw new StartError(
      'The file is TopoJSON, which cannot be read: make GeoJSON of it, such as with "ogr2ogr parks.geojson FILE".',
    );
  return before.type === 'Feature'
    ? { name: 'lines', before, rows: linesAfter(tokens, before) }
    : null;
}
