// Lint rule: every text a person can read comes from the catalogues, so no literal text stands in JSX.
import type { Rule } from 'eslint';

const READ_ALOUD = new Set(['aria-label', 'alt', 'title', 'placeholder', 'label']);
const HAS_LETTER = /\p{L}/u;

interface JsxAttribute {
  name: { name: string };
  value: { type: string; value?: unknown } | null;
}

const rule: Rule.RuleModule = {
  meta: {
    type: 'problem',
    messages: { literal: 'Literal text in JSX: put it in the catalogues and use t().' },
    schema: [],
  },
  create(context) {
    // ESLint's own types know no nodes of JSX.
    const report = (node: unknown) =>
      context.report({ node: node as Rule.Node, messageId: 'literal' });
    return {
      JSXText(node: unknown) {
        if (HAS_LETTER.test((node as { value: string }).value)) report(node);
      },
      JSXAttribute(node: unknown) {
        const { name, value } = node as JsxAttribute;
        if (!READ_ALOUD.has(name.name)) return;
        if (value?.type === 'Literal' && HAS_LETTER.test(String(value.value))) report(node);
      },
    };
  },
};

export default rule;
