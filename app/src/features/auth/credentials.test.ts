// Tests which fields the forms require, and their messages.
import { expect, test } from 'vitest';
import { credentialProblems, somethingMissing } from '#/features/auth/credentials.ts';

const NOTHING = { email: '', password: '', name: '', ageConfirmed: false };
const ALL = { email: ' dana@example.org ', password: 'x', name: 'דנה', ageConfirmed: true };

test('login requires email and password; signup also requires a name and the age confirmation', () => {
  expect(Object.keys(credentialProblems('login', NOTHING))).toEqual(['email', 'password']);
  expect(Object.keys(credentialProblems('signup', NOTHING))).toEqual([
    'name',
    'email',
    'password',
    'ageConfirmed',
  ]);
  expect(credentialProblems('forgot', NOTHING)).toEqual({ email: 'auth.form.emailMissing' });
  expect(somethingMissing(credentialProblems('login', NOTHING))).toBe(true);
  for (const mode of ['login', 'signup', 'forgot'] as const)
    expect(credentialProblems(mode, ALL)).toEqual({});
});

test('an invalid email is reported next to its field and does not count as missing', () => {
  const problems = credentialProblems('login', { ...ALL, email: 'dana' });
  expect(problems).toEqual({ email: 'errors.email_address_invalid' });
  expect(somethingMissing(problems)).toBe(false);
});
