// What stands between isolates in a sentence, and what does not.
import { expect, test } from 'vitest';
import { isolateOthers } from '#/i18n/isolate.ts';

test('only words of the other direction are isolated', () => {
  const values = { name: 'Maya (רעננה)', hour: '08:00', dogs: 2, friend: 'נועה' };
  expect(isolateOthers(values, 'rtl')).toEqual({ ...values, name: '\u2068Maya (רעננה)\u2069' });
  expect(isolateOthers(values, 'ltr')).toEqual({
    ...values,
    name: '\u2068Maya (רעננה)\u2069',
    friend: '\u2068נועה\u2069',
  });
});
