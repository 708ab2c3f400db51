// Lint rule: every text a person can read comes from the catalogues, so no literal text stands in JSX.
const READ_ALOUD = new Set(['aria-label', 'alt', 'title', 'placeholder', 'label']);
const HAS_LETTER = /\p{L}/u;

export default {
  meta: {
    type: 'problem',
    messages: { literal: 'Literal text in JSX: put it in the catalogues and use t().' },
    schema: [],
  },
  create(context) {
    return {
      JSXText(node) {
        if (HAS_LETTER.test(node.value)) context.report({ node, messageId: 'literal' });
      },
      JSXAttribute(node) {
        if (!READ_ALOUD.has(node.name.name)) return;
        if (node.value?.type === 'Literal' && HAS_LETTER.test(String(node.value.value)))
          context.report({ node, messageId: 'literal' });
      },
    };
  },
};
