// Tests the inline markup of long texts.
import { expect, test } from 'vitest';
import { parseInline } from '#/features/info/inline.ts';

test('finds links and placeholders in text', () => {
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

test('returns the text for countries with a minimum age of 16 as a separate part', () => {
  expect(parseInline('From {age}{older:, or 16}.')).toEqual([
    { kind: 'text', text: 'From ' },
    { kind: 'age' },
    { kind: 'older', text: ', or 16' },
    { kind: 'text', text: '.' },
  ]);
});

test('distinguishes external links from internal ones', () => {
  expect(parseInline('Under the [ODbL](https://licence.example/odbl/).')).toEqual([
    { kind: 'text', text: 'Under the ' },
    { kind: 'outside', text: 'ODbL', href: 'https://licence.example/odbl/' },
    { kind: 'text', text: '.' },
  ]);
});

test('leaves unknown markup as text and creates links only to pages', () => {
  for (const text of ['plain', '[a](http://elsewhere.example)', '[a](javascript:b)', '{other}', ''])
    expect(parseInline(text)).toEqual(text === '' ? [] : [{ kind: 'text', text }]);
});
