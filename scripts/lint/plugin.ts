// The rules of this project that no linter brings.
import { directions } from './directions.ts';
import { noBarrels } from './no-barrels.ts';
import { noLiteralText } from './no-literal-text.ts';
import { noProductWords } from './no-product-words.ts';
import type { Plugin } from './rule.ts';

export default {
  meta: { name: 'packpark' },
  rules: {
    directions,
    'no-barrels': noBarrels,
    'no-literal-text': noLiteralText,
    'no-product-words': noProductWords,
  },
} satisfies Plugin;
