// Finds the message keys in a source file: whole keys in strings, and patterns in template literals.
import { parseSync, Visitor } from 'rolldown/utils';

const KEY = /^[a-z]\w*(\.[A-Za-z0-9]\w*){1,}$/;
const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

export interface SourceKeys {
  file: string;
  literals: string[];
  /** From template literals. */
  patterns: RegExp[];
  /** Keys passed directly to t() or translate(). */
  called: string[];
}

export function keysInSource(file: string, text: string): SourceKeys {
  const found: SourceKeys = { file, literals: [], patterns: [], called: [] };
  const addLiteral = (value: unknown) => {
    if (typeof value === 'string' && KEY.test(value)) found.literals.push(value);
  };
  new Visitor({
    Literal: ({ value }) => addLiteral(value),
    TemplateLiteral({ quasis }) {
      const statics = quasis.map(({ value }) => value.cooked ?? '');
      const [head = ''] = statics;
      if (statics.length === 1) addLiteral(head);
      // A template that begins with a feature and a dot. Others are URLs, class names and the like.
      else if (/^[a-z]\w*\.[\w.]*$/.test(head) && statics.every((part) => /^[\w.]*$/.test(part)))
        found.patterns.push(new RegExp(`^${statics.map(escape).join('[\\w.]+')}$`));
    },
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || !['t', 'translate'].includes(callee.name)) return;
      if (first?.type !== 'Literal' || typeof first.value !== 'string') return;
      if (KEY.test(first.value)) found.called.push(first.value);
    },
  }).visit(parseSync(file, text).program);
  return found;
}
