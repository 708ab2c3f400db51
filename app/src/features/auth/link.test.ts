// Links as mails, providers and the native scheme make them, and as strangers may.
import { expect, test } from 'vitest';
import { readLink } from '#/features/auth/link.ts';

test('each kind of link is read', () => {
  expect(readLink('https://p.example/auth-callback?code=abc').code).toBe('abc');
  expect(readLink('packpark://auth-callback#access_token=a&refresh_token=r').tokens).toEqual({
    access_token: 'a',
    refresh_token: 'r',
  });
  expect(readLink('https://p.example/email-callback?token_hash=h&type=signup').tokenHash).toEqual({
    token_hash: 'h',
    type: 'signup',
  });
  expect(
    readLink(
      'https://p.example/update-password#error=access_denied&error_code=otp_expired&error_description=Gone',
    ).failure,
  ).toEqual({ code: 'otp_expired', message: 'Gone' });
});

test('half a link, or none, is nothing', () => {
  for (const href of [
    'https://p.example/',
    'https://p.example/#access_token=a',
    'https://p.example/?token_hash=h&type=drop',
    'not an address',
  ])
    expect(readLink(href)).toEqual({ code: null, tokens: null, tokenHash: null, failure: null });
});
