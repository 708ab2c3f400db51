// Half of our users read right to left: only logical sides, and only tokens for colours.
export default {
  extends: ['stylelint-config-standard'],
  plugins: ['stylelint-plugin-logical-css'],
  rules: {
    'logical-css/require-logical-properties': [
      true,
      // The map canvas is LTR in every language, and Leaflet places by left and top.
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
    // The tokens are where the colours are written down.
    {
      files: ['app/src/ui/theme/*.css'],
      rules: { 'color-no-hex': null, 'color-named': null },
    },
  ],
};
