// The accessibility statement, in English.
import type { InfoText } from '#/features/info/info-text.ts';

export const text: InfoText = {
  title: 'Accessibility statement',
  lead: 'The park is for everybody, and so is the app.',
  sections: [
    {
      id: 'standard',
      heading: 'What we aim for',
      body: ['Level AA of WCAG 2.2, and with it the Israeli standard 5568.'],
    },
    {
      id: 'done',
      heading: 'What that means here',
      body: [
        [
          'Everything can be done with the keyboard alone, and the focus is always visible.',
          'Controls have names for screen readers in English, Hebrew and Arabic; messages are read aloud when they appear.',
          'The map is never the only way: the list of parks offers everything that it does.',
          'Texts and controls have enough contrast in the light and in the dark theme, grow to twice their size with your font size, and fit on a screen of 320 pixels.',
          'Targets are large, whatever can be dragged can be tapped as well, and nothing moves if your device asks for less motion.',
          'Charts have a table behind them.',
        ],
      ],
    },
    {
      id: 'limits',
      heading: 'What does not work well yet',
      body: [
        [
          'The pictures of the map cannot be read by a screen reader; photos that people upload carry no description.',
          'A card over the map is one button of many words, and the bars of the busy hours are narrow; lists and tables say the same.',
          'The language of what people write is told by its letters alone.',
          'On very low windows, the map takes more than the window, and the page scrolls.',
          'Directions open in apps that we have no hand in.',
        ],
      ],
    },
    {
      id: 'tested',
      heading: 'How we check',
      body: [
        'Each screen is checked automatically in all languages and both themes, and the main ways through the app are walked with the keyboard, where the focus and what is read aloud are compared, too. People with screen readers have not tried it for us yet. This statement was last updated on 25.11.26.',
      ],
    },
    {
      id: 'contact',
      heading: 'Tell us',
      body: [
        'Something is in your way? Write to {contact}: what you wanted to do, on which page, and with which device or aid. We answer within 14 days, and help you in another way until it is mended.',
      ],
    },
  ],
};
