// Scans one parameter. Filters and the other REST parameters share this grammar.
import type { Field, JsonStep } from '#/host/filters/ast.ts';

/** Deeper nesting is rejected, because PostgreSQL's stack is limited. */
export const MAX_DEPTH = 32;

const NAME = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy;
const QUOTED = /"((?:[^"\\]|\\[^])*)"/y;
const INDEX = /-?\d{1,9}(?=->|::|[.,)]|$)/y;

/** A syntax error in a parameter. Both texts are those of PostgREST and may be shown to the client. */
export class ParseError extends Error {
  readonly details: string;

  constructor(message: string, details: string) {
    super(message);
    this.details = details;
  }
}

export class Scanner {
  readonly text: string;
  readonly #what: string;
  position = 0;

  /** @param what the parameter's name in error messages, such as `filter` or `order` */
  constructor(text: string, what: string) {
    this.text = text;
    this.#what = what;
  }

  /** @throws ParseError with the current position */
  fail(expecting: string): never {
    const found = this.text.codePointAt(this.position);
    const unexpected =
      found === undefined ? 'end of input' : JSON.stringify(String.fromCodePoint(found));
    throw new ParseError(
      `"failed to parse ${this.#what} (${this.text})" (line 1, column ${this.position + 1})`,
      `unexpected ${unexpected} expecting ${expecting}`,
    );
  }

  get done(): boolean {
    return this.position >= this.text.length;
  }

  /** Matches a sticky regular expression at the current position and moves past the match. Returns null if there is none. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.position;
    const found = expression.exec(this.text);
    if (found) this.position = expression.lastIndex;
    return found;
  }

  eat(piece: string): boolean {
    if (!this.text.startsWith(piece, this.position)) return false;
    this.position += piece.length;
    return true;
  }

  expect(piece: string): void {
    if (!this.eat(piece)) this.fail(JSON.stringify(piece));
  }

  spaces(): void {
    this.match(/[ \t]*/y);
  }

  end(): void {
    if (!this.done) this.fail('end of input');
  }

  rest(): string {
    const rest = this.text.slice(this.position);
    this.position = this.text.length;
    return rest;
  }

  quoted(): string | null {
    return this.match(QUOTED)?.[1]?.replace(/\\([^])/g, '$1') ?? null;
  }

  /** Reads a name, plain or in double quotes. */
  name(): string {
    const name = this.quoted() ?? this.match(NAME)?.[0].trim();
    if (name === undefined || name === '') this.fail('field name (* or [a..z0..9_$])');
    // PostgreSQL rejects NUL in names, and would end the statement's text at it.
    if (name.includes('\0')) this.fail('field name without a zero byte');
    return name;
  }

  /** Reads an element of a list in parentheses, quoted or up to the next comma. */
  listElement(): string {
    const start = this.position;
    const quoted = this.quoted();
    if (quoted !== null && (this.done || this.match(/(?=[,)])/y))) return quoted;
    this.position = start;
    return this.match(/[^,)]*/y)?.[0] ?? '';
  }

  list(): string[] {
    this.expect('(');
    const values: string[] = [];
    // `in.()` is an empty list, which matches nothing.
    if (this.eat(')')) return values;
    do values.push(this.listElement());
    while (this.eat(','));
    this.expect(')');
    return values;
  }

  jsonPath(): JsonStep[] {
    const path: JsonStep[] = [];
    for (;;) {
      const text = this.eat('->>');
      if (!text && !this.eat('->')) return path;
      const index = this.match(INDEX);
      path.push({ text, key: index ? Number(index[0]) : this.name() });
      if (path.length > MAX_DEPTH) this.fail('a shorter JSON path');
    }
  }

  field(): Field {
    this.spaces();
    const name = this.name();
    const path = this.jsonPath();
    this.spaces();
    return { name, path };
  }
}
