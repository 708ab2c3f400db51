// Tests the inline markup of long texts.
import { expect, test } from 'vitest';
import { parseInline } from '#/features/info/inline.ts';

test('finds links and placeholders in text', () => {
  expect(parseInline('See [the policy](/privacy-policy), or {contact} at {site}.')).toEqual([
    { type: 'text', text: 'See ' },
    { type: 'link', text: 'the policy', to: '/privacy-policy' },
    { type: 'text', text: ', or ' },
    { type: 'contact' },
    { type: 'text', text: ' at ' },
    { type: 'site' },
    { type: 'text', text: '.' },
  ]);
});

test('returns the text for countries with a minimum age of 16 as a separate part', () => {
  expect(parseInline('From {age}{older:, or 16}.')).toEqual([
    { type: 'text', text: 'From ' },
    { type: 'age' },
    { type: 'older', text: ', or 16' },
    { type: 'text', text: '.' },
  ]);
});

test('distinguishes external links from internal ones', () => {
  expect(parseInline('Under the [ODbL](https://licence.example/odbl/).')).toEqual([
    { type: 'text', text: 'Under the ' },
    { type: 'outside', text: 'ODbL', href: 'https://licence.example/odbl/' },
    { type: 'text', text: '.' },
  ]);
});

test('leaves unknown markup as text and creates links only to pages', () => {
  for (const text of ['plain', '[a](http://elsewhere.example)', '[a](javascript:b)', '{other}', ''])
    expect(parseInline(text)).toEqual(text === '' ? [] : [{ type: 'text', text }]);
});
