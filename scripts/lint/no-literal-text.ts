// Lint rule: every text a person can read comes from the catalogues, so no literal text stands in JSX.
import type { Rule } from 'eslint';

const READ_ALOUD = new Set(['aria-label', 'alt', 'title', 'placeholder', 'label']);
const HAS_LETTER = /\p{L}/u;

const rule: Rule.RuleModule = {
  meta: {
    type: 'problem',
    messages: { literal: 'Literal text in JSX: put it in the catalogues and use t().' },
    schema: [],
  },
  create(context) {
    const report = (node: unknown) =>
      context.report({ node: node as Rule.Node, messageId: 'literal' });
    return {
      JSXText(node: { value: string }) {
        if (HAS_LETTER.test(node.value)) report(node);
      },
      JSXAttribute(node: {
        name: { name: string };
        value: { type: string; value?: unknown } | null;
      }) {
        if (!READ_ALOUD.has(node.name.name)) return;
        if (node.value?.type === 'Literal' && HAS_LETTER.test(String(node.value.value)))
          report(node);
      },
    };
  },
};

export default rule;
