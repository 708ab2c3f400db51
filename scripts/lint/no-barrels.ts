// Lint rule: a file exports what it defines.
import type { Node, Rule } from './rule.ts';

export const noBarrels: Rule = {
  create: (context) => ({
    ExportAllDeclaration(node: Node) {
      context.report({ node, message: 'No barrels: import from the file that defines it.' });
    },
  }),
};
