// Lint rule: code in host/ must not name Packpark's own tables, because the host can serve any Supabase project.
import type { Node, Rule } from './rule.ts';

const PRODUCT = /\b(dogs?|parks?|check_?ins?)\b/i;

export const noProductWords: Rule = {
  create(context) {
    const check = (node: Node, text: unknown) => {
      if (PRODUCT.test(String(text)))
        context.report({
          node,
          message: 'host/ knows nothing of the product: let main.ts pass the thing in.',
        });
    };
    return {
      Literal: (node: Node<{ value: unknown }>) => check(node, node.value),
      TemplateElement: (node: Node<{ value: { raw: string } }>) => check(node, node.value.raw),
      Identifier: (node: Node<{ name: string }>) => check(node, node.name),
    };
  },
};
