// User text cannot forge output on a moderator's terminal.
import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test.each([
  ['Rex\u001b[2J\u0007', 'Rex\\u{1b}[2J\\u{7}'],
  ['one\r\ntwo\u2028three', 'one\\u{d} ⏎ two\\u{2028}three'],
  ['\u009b31m\u202eevil\u2066', '\\u{9b}31m\\u{202e}evil\\u{2066}'],
  ['כלב شجرة 🐕 é', 'כלב شجرة 🐕 é'],
])('%j is printed as %j', (text, printed) => {
  expect(printable(text)).toBe(printed);
});
