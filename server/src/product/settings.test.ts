// What settings mean together: whom the info pages name to write to.
import { expect, test } from 'vitest';
import { contactAddress, readSettings } from '#/product/settings.ts';

test.each([
  [{ CONTACT_EMAIL: 'hi@parks.example', MAIL_FROM: 'parks@parks.example' }, 'hi@parks.example'],
  [{ MAIL_FROM: 'parks@parks.example' }, 'parks@parks.example'],
  [{ MAIL_FROM: 'Packpark <parks@parks.example>' }, 'parks@parks.example'],
  [{ MAIL_FROM: 'Packpark <No-Reply@parks.example>' }, null],
  [{ MAIL_FROM: 'donotreply@parks.example' }, null],
  [{ MAIL_FROM: 'Packpark' }, null],
  [{}, null],
])('with %j people write to %s', (environment, address) => {
  expect(contactAddress(readSettings(environment))).toBe(address);
});
