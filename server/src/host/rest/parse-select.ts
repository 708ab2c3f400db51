// Parses the `select` parameter: columns, aliases, casts, JSON paths and embedded resources.
import type { ColumnItem, EmbedItem, SelectItem } from '#/host/rest/parsed-query.ts';
import { RestError } from '#/host/rest/errors.ts';
import { Scanner } from '#/host/filters/scanner.ts';

/** Each embed is a join. With more embeds, PostgreSQL would need seconds to plan or return too many rows. */
const MAX_EMBEDS = 30;
const MAX_EMBED_DEPTH = 5;

/** The parser's depth in the tree and the number of embeds so far. */
interface Place {
  depth: number;
  seen: { embeds: number };
}

const AGGREGATE = /\.(?:count|sum|avg|min|max)\(\)/y;
const CAST = /[\p{L}\p{N}_ $]+/uy;

function noAggregates(): never {
  throw new RestError(400, 'PGRST123', 'Use of aggregate functions is not allowed');
}

function embed(scanner: Scanner, spread: boolean, as: string | null, place: Place): EmbedItem {
  const item: EmbedItem = {
    type: 'embed',
    target: scanner.name(),
    alias: as,
    hint: null,
    inner: false,
    spread,
    items: [],
  };
  while (scanner.eat('!')) {
    const modifier = scanner.name();
    if (modifier === 'inner') item.inner = true;
    else if (modifier !== 'left') item.hint = modifier;
  }
  place.seen.embeds += 1;
  if (place.depth >= MAX_EMBED_DEPTH || place.seen.embeds > MAX_EMBEDS)
    throw new RestError(400, 'PGRST100', 'Too many embedded resources in the select parameter', {
      details: `At most ${MAX_EMBEDS} resources can be embedded, at most ${MAX_EMBED_DEPTH} deep`,
    });
  scanner.expect('(');
  if (item.target === 'count' && scanner.text.startsWith(')', scanner.position)) noAggregates();
  item.items = list(scanner, { ...place, depth: place.depth + 1 });
  scanner.expect(')');
  scanner.spaces();
  return item;
}

function column(scanner: Scanner, as: string | null): ColumnItem {
  const all = scanner.match(/[*]/y);
  const field = all ? { name: '*', path: [] } : scanner.field();
  let cast: string | null = null;
  if (!all && scanner.match(AGGREGATE)) noAggregates();
  if (!all && scanner.eat('::')) {
    cast = scanner.match(CAST)?.[0].trim() ?? scanner.fail('letter or digit');
    if (scanner.match(AGGREGATE)) noAggregates();
  }
  scanner.spaces();
  return { type: 'column', field, alias: as, cast };
}

/** Reads a name and checks whether the expression follows it, without moving the cursor. */
function follows(scanner: Scanner, expression: RegExp): { name: string; found: boolean } | null {
  const start = scanner.position;
  scanner.spaces();
  if (scanner.match(/(?=[*])/y)) return null;
  const name = scanner.name();
  const found = scanner.match(expression) !== null;
  scanner.position = start;
  return { name, found };
}

function item(scanner: Scanner, place: Place): SelectItem {
  scanner.spaces();
  if (scanner.eat('...')) return embed(scanner, true, null, place);
  let as: string | null = null;
  const first = follows(scanner, /:(?!:)/y);
  if (first?.found === true) {
    as = first.name;
    scanner.name();
    scanner.expect(':');
  }
  const isEmbed = follows(scanner, /[!(]/y)?.found === true;
  scanner.spaces();
  return isEmbed ? embed(scanner, false, as, place) : column(scanner, as);
}

function list(scanner: Scanner, place: Place): SelectItem[] {
  scanner.spaces();
  const items: SelectItem[] = [];
  if (scanner.done || scanner.text.startsWith(')', scanner.position)) return items;
  do items.push(item(scanner, place));
  while (scanner.eat(','));
  return items;
}

/** @throws PGRST100 */
export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, 'select parameter');
  const items = list(scanner, { depth: 0, seen: { embeds: 0 } });
  if (!scanner.done) scanner.fail('",", ")", "->>", "->", "::" or end of input');
  return items;
}

/**
 * Parses a list of names, for `columns` and `on_conflict`.
 * @throws PGRST100
 */
export function parseNames(text: string, what: string): string[] {
  const scanner = new Scanner(text, what);
  const names: string[] = [];
  do {
    scanner.spaces();
    names.push(scanner.name());
    scanner.spaces();
  } while (scanner.eat(','));
  scanner.end();
  return names;
}
