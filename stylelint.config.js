// Requires logical properties, because Hebrew and Arabic are right to left, and design tokens instead of colours.
export default {
  extends: ['stylelint-config-standard'],
  plugins: ['stylelint-plugin-logical-css'],
  rules: {
    'logical-css/require-logical-properties': [
      true,
      // Width and height do not depend on the direction of the text.
      {
        ignore: [
          'width',
          'height',
          'min-width',
          'max-width',
          'min-height',
          'max-height',
          'overflow-x',
          'overflow-y',
        ],
      },
    ],
    'logical-css/require-logical-keywords': true,
    'selector-class-pattern': null,
    'custom-property-pattern': null,
    'selector-pseudo-class-no-unknown': [true, { ignorePseudoClasses: ['global', 'local'] }],
    'property-no-unknown': [true, { ignoreProperties: ['composes'] }],
    'no-descending-specificity': null,
  },
  overrides: [
    {
      files: [
        'app/src/entities/**/*.css',
        'app/src/features/**/*.css',
        'app/src/screens/**/*.css',
        'app/src/ui/**/*.css',
        'app/src/map/**/*.css',
      ],
      rules: { 'color-no-hex': true, 'color-named': 'never' },
    },
    // The tokens define the colours.
    {
      files: ['app/src/ui/theme/*.css'],
      rules: { 'color-no-hex': null, 'color-named': null },
    },
  ],
};
