// The texts of refused logins: by code, by status, by message, and the unexpected.
import { expect, test } from 'vitest';
import english from '../../../../languages/en/app.json' with { type: 'json' };
import { authErrorField, toAuthError } from '#/data/session/auth-errors.ts';

const text = (failure: object) => english[toAuthError(failure).key];

test.each([
  ['invalid_credentials', 'Incorrect email or password'],
  ['email_not_confirmed', 'Please verify your email before logging in'],
  ['same_password', 'Please enter a new password'],
  ['rate_limited', 'Too many attempts. Try again later'],
  ['over_email_send_rate_limit', 'Too many attempts. Try again later'],
  ['forbidden', 'Access denied'],
  ['user_banned', english['errors.user_banned']],
])('the code %s says "%s"', (code, said) => {
  expect(text({ code, status: 400, message: 'x' })).toBe(said);
});

test.each([
  [429, 'Too many attempts. Try again later'],
  [403, 'Access denied'],
])('without a known code the status %d says "%s"', (status, said) => {
  expect(text({ code: 'new_code', status, message: 'x' })).toBe(said);
});

test('status 404 is an unknown user, and 400, 401 and 500 have their own words', () => {
  const key = (status: number) => toAuthError({ status, message: 'x' }).key;
  expect([400, 401, 404, 500].map(key)).toEqual([
    'errors.bad_request',
    'errors.unauthorized',
    'errors.user_not_found',
    'errors.server_error',
  ]);
});

test('the message decides where the code says nothing', () => {
  const key = (message: string) => toAuthError({ message }).key;
  expect(key('User already registered')).toBe('errors.email_exists');
  expect(key('Invalid login credentials')).toBe('errors.invalid_credentials');
  expect(key('Email not confirmed')).toBe('errors.email_not_confirmed');
  expect(key('Unsupported provider: provider is not enabled')).toBe('errors.provider_disabled');
  expect(key('Network request failed')).toBe('errors.offline');
  expect(key('Something else')).toBe('errors.unexpected');
  expect(toAuthError(undefined)).toMatchObject({ key: 'errors.unexpected', status: 500 });
});

test('an error knows the field it belongs to', () => {
  const field = (code: string) => authErrorField(toAuthError({ code, status: 422 }));
  expect(['email_exists', 'weak_password', 'mfa_verification_failed', 'user_banned'].map(field)) //
    .toEqual(['email', 'password', 'code', null]);
});
