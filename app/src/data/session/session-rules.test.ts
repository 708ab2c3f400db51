// Reading stored sessions, including damaged ones.
import { expect, test } from 'vitest';
import { tokenOf as token } from '../../../testing/browser-on-node.ts';
import { parseStoredSession, secondFactorMissing } from '#/data/session/session-rules.ts';

const user = { id: 'u1', email: 'dana@example.org' };

test('an incomplete session is ignored', () => {
  const whole = { access_token: 'a', user };
  expect(parseStoredSession(JSON.stringify(whole))).toEqual(whole);
  for (const text of [null, '', '{', 'null', '7', '{"access_token":"a"}', '{"user":{"id":"u"}}'])
    expect(parseStoredSession(text)).toBe(null);
});

test('the second factor is missing only with a verified factor and a session of level one', () => {
  const verified = { ...user, factors: [{ status: 'verified' }] };
  const unverified = { ...user, factors: [{ status: 'unverified' }] };
  const one = token({ aal: 'aal1', name: 'דנה?>' });
  expect(secondFactorMissing({ access_token: one, user: verified })).toBe(true);
  expect(secondFactorMissing({ access_token: 'spoilt', user: verified })).toBe(true);
  expect(secondFactorMissing({ access_token: token({ aal: 'aal2' }), user: verified })).toBe(false);
  expect(secondFactorMissing({ access_token: one, user: unverified })).toBe(false);
  expect(secondFactorMissing({ access_token: one, user })).toBe(false);
});
