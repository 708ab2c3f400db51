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

test('what is said of countries that ask for 16 is a part of its own', () => {
  expect(parseInline('From {age}{older:, or 16}.')).toEqual([
    { kind: 'text', text: 'From ' },
    { kind: 'age' },
    { kind: 'older', text: ', or 16' },
    { kind: 'text', text: '.' },
  ]);
});

test('a page of somebody else is told from ours', () => {
  expect(parseInline('Under the [ODbL](https://licence.example/odbl/).')).toEqual([
    { kind: 'text', text: 'Under the ' },
    { kind: 'outside', text: 'ODbL', href: 'https://licence.example/odbl/' },
    { kind: 'text', text: '.' },
  ]);
});

test('what is no mark stays text, and a link leads only to pages', () => {
  for (const text of ['plain', '[a](http://elsewhere.example)', '[a](javascript:b)', '{other}', ''])
    expect(parseInline(text)).toEqual(text === '' ? [] : [{ kind: 'text', text }]);
});
