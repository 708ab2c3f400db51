// Lint rule: JSX must not contain literal text, because texts that users see come from the catalogues.
import type { Node, Rule } from './rule.ts';

const READ_ALOUD = new Set(['aria-label', 'alt', 'title', 'placeholder', 'label']);
const HAS_LETTER = /\p{L}/u;

type JsxAttribute = Node<{
  name: { name: string };
  value: { type: string; value?: unknown } | null;
}>;

export const noLiteralText: Rule = {
  create(context) {
    const report = (node: Node) =>
      context.report({
        node,
        message: 'Literal text in JSX: put it in the catalogues and use t().',
      });
    return {
      JSXText(node: Node<{ value: string }>) {
        if (HAS_LETTER.test(node.value)) report(node);
      },
      JSXAttribute(node: JsxAttribute) {
        const { name, value } = node;
        if (!READ_ALOUD.has(name.name)) return;
        if (value?.type === 'Literal' && HAS_LETTER.test(String(value.value))) report(node);
      },
    };
  },
};
