// Messages for rejected logins: by code, status or message, and for unexpected errors.
import { expect, test } from 'vitest';
import english from '../../../../languages/en/app.json' with { type: 'json' };
import { authErrorField, toAuthError } from '#/data/session/auth-errors.ts';

const TOO_MANY = 'Too many attempts. Try again later';

test.each([
  [{ code: 'invalid_credentials' }, 'Incorrect email or password'],
  [{ code: 'email_not_confirmed' }, 'Please verify your email before logging in'],
  [{ code: 'same_password' }, 'Please enter a new password'],
  [{ code: 'rate_limited' }, TOO_MANY],
  [{ code: 'over_email_send_rate_limit' }, TOO_MANY],
  [{ code: 'forbidden' }, 'Access denied'],
  [{ code: 'user_banned' }, english['errors.user_banned']],
  // Responses whose code has no message.
  [{ code: 'new_code', status: 429 }, TOO_MANY],
  [{ code: 'new_code', status: 403 }, 'Access denied'],
])('%j says "%s"', (failure, said) => {
  expect(english[toAuthError({ status: 400, message: 'x', ...failure }).key]).toBe(said);
});

test.each([
  [{ status: 400 }, 'bad_request'],
  [{ status: 401 }, 'unauthorized'],
  [{ status: 404 }, 'user_not_found'],
  [{ status: 500 }, 'server_error'],
  // Without a code, the message decides.
  [{ message: 'User already registered' }, 'email_exists'],
  [{ message: 'Invalid login credentials' }, 'invalid_credentials'],
  [{ message: 'Email not confirmed' }, 'email_not_confirmed'],
  [{ message: 'Unsupported provider: provider is not enabled' }, 'provider_disabled'],
  [{ message: 'Network request failed' }, 'offline'],
  [{ message: 'Something else' }, 'unexpected'],
])('%j is %s', (failure, code) => {
  expect(toAuthError({ message: 'x', ...failure }).key).toBe(`errors.${code}`);
});

test('an error that is not from the auth service is unexpected', () => {
  expect(toAuthError(undefined)).toMatchObject({ key: 'errors.unexpected', status: 500 });
});

test('an error is assigned to its form field', () => {
  const field = (code: string) => authErrorField(toAuthError({ code, status: 422 }));
  expect(['email_exists', 'weak_password', 'mfa_verification_failed', 'user_banned'].map(field)) //
    .toEqual(['email', 'password', 'code', null]);
});
