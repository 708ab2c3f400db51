// The marks inside long texts.
import { expect, test } from 'vitest';
import { parseInline } from '#/features/info/inline.ts';

test('links and placeholders are found between plain text', () => {
  expect(parseInline('See [the policy](/privacy-policy), or {contact} at {site}.')).toEqual([
    { kind: 'text', text: 'See ' },
    { kind: 'link', text: 'the policy', to: '/privacy-policy' },
    { kind: 'text', text: ', or ' },
    { kind: 'contact' },
    { kind: 'text', text: ' at ' },
    { kind: 'site' },
    { kind: 'text', text: '.' },
  ]);
});

test('what is no mark stays text, and a link leads only to our own pages', () => {
  for (const text of ['plain', '[a](https://elsewhere.example)', '{other}', ''])
    expect(parseInline(text)).toEqual(text === '' ? [] : [{ kind: 'text', text }]);
});
