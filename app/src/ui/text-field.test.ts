// Maximum length of password fields.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextField } from '#/ui/text-field.tsx';

const render = (type: 'password' | 'text') =>
  renderToStaticMarkup(createElement(TextField, { label: 'A label', type }));

test('a password field takes 256 characters like the server, and other fields have no limit', () => {
  expect(render('password')).toMatch(/<input[^>]* maxLength="256"/i);
  expect(render('text')).not.toMatch(/maxLength/i);
});
