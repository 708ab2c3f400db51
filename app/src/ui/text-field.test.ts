// How many characters a field of a password takes.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextField } from '#/ui/text-field.tsx';

const render = (type: 'password' | 'text') =>
  renderToStaticMarkup(createElement(TextField, { label: 'A label', type }));

test('a field of a password takes 256 characters, as the server does, and any other what is written', () => {
  expect(render('password')).toMatch(/<input[^>]* maxLength="256"/i);
  expect(render('text')).not.toMatch(/maxLength/i);
});
