// Which message keys a source file names: whole ones in strings, and patterns in template literals.
import ts from 'typescript';

const KEY = /^[a-z]\w*(\.[A-Za-z0-9]\w*){1,}$/;
const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

export interface SourceKeys {
  file: string;
  /** Strings that look like a key. */
  literals: string[];
  /** Of templates. */
  patterns: RegExp[];
  /** Those given straight to t() or translate(). */
  called: string[];
}

export function keysInSource(file: string, text: string): SourceKeys {
  const found: SourceKeys = { file, literals: [], patterns: [], called: [] };
  const source = ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.ESNext,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node) && KEY.test(node.text)) {
      found.literals.push(node.text);
      const call = node.parent;
      if (ts.isCallExpression(call) && call.arguments[0] === node) {
        const name = call.expression.getText(source);
        if (name === 't' || name === 'translate') found.called.push(node.text);
      }
    }
    if (ts.isTemplateExpression(node)) {
      const statics = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
      // A template that begins with a feature and a dot; others are addresses, class names and the like.
      if (
        /^[a-z]\w*\.[\w.]*$/.test(node.head.text) &&
        statics.every((part) => /^[\w.]*$/.test(part))
      )
        found.patterns.push(new RegExp(`^${statics.map(escape).join('[\\w.]+')}$`));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
