// The lint rules of this project.
import { directions } from './directions.ts';
import { noLiteralText } from './no-literal-text.ts';
import { noProductWords } from './no-product-words.ts';
import { plainLanguage } from './plain-language.ts';
import type { Node, Plugin, Rule } from './rule.ts';

/** Lint rule: a file exports only its own definitions. */
const noBarrels: Rule = {
  create: (context) => ({
    ExportAllDeclaration(node: Node) {
      context.report({ node, message: 'No barrels: import from the file that defines it.' });
    },
  }),
};

export default {
  meta: { name: 'packpark' },
  rules: {
    directions,
    'no-barrels': noBarrels,
    'no-literal-text': noLiteralText,
    'no-product-words': noProductWords,
    'plain-language': plainLanguage,
  },
} satisfies Plugin;
