// The `order` parameter: by what, in which direction, and where nulls go.
import { Scanner } from '#/host/filters/scanner.ts';
import type { OrderTerm } from '#/host/rest/ast.ts';

/** @throws ParseError */
export function parseOrder(value: string): OrderTerm[] {
  const scanner = new Scanner(value, 'order');
  const terms: OrderTerm[] = [];
  do {
    let field = scanner.field();
    let relation: string | null = null;
    if (field.path.length === 0 && scanner.eat('(')) {
      relation = field.name;
      field = scanner.field();
      scanner.expect(')');
    }
    const direction = scanner.match(/\.(asc|desc)(?=[.,]|\s*$)/y);
    const nulls = scanner.match(/\.nulls(first|last)(?=,|\s*$)/y);
    scanner.spaces();
    if (!scanner.done && !scanner.text.startsWith(',', scanner.position))
      scanner.fail('"asc", "desc", "nullsfirst" or "nullslast"');
    terms.push({
      relation,
      field,
      descending: direction?.[1] === 'desc',
      nulls: (nulls?.[1] as 'first' | 'last' | undefined) ?? null,
    });
  } while (scanner.eat(','));
  return terms;
}
