// Tests the links that mails, providers and the native scheme create, and ones that an attacker might create.
import { expect, test } from 'vitest';
import { mayTake, readLink } from '#/features/auth/link.ts';

test('readLink parses each type of link', () => {
  expect(readLink('https://p.example/auth-callback?code=abc').code).toBe('abc');
  expect(readLink('packpark://auth-callback#access_token=a&refresh_token=r').tokens).toEqual({
    access_token: 'a',
    refresh_token: 'r',
  });
  expect(
    readLink(
      'https://p.example/update-password#error=access_denied&error_code=otp_expired&error_description=Gone',
    ).failure,
  ).toEqual({ code: 'otp_expired', message: 'Gone' });
});

test('readLink returns an empty result for incomplete or missing links', () => {
  for (const href of ['https://p.example/', 'https://p.example/#access_token=a', 'not an address'])
    expect(readLink(href)).toEqual({
      code: null,
      tokens: null,
      isHalf: false,
      failure: null,
    });
});

test('a link with tokens is accepted only by the password page, and never while another account is logged in', () => {
  const token = (sub: string) => `e30.${btoa(JSON.stringify({ sub }))}.s`;
  const tokens = (sub: string) =>
    readLink(`https://p.example/update-password#access_token=${token(sub)}&refresh_token=r`);
  expect(mayTake(tokens('me'), false, null)).toBe(false);
  expect(mayTake(tokens('me'), true, null)).toBe(true);
  expect(mayTake(tokens('me'), true, 'somebody else')).toBe(false);
  expect(mayTake(tokens('me'), true, 'me')).toBe(true);
  const broken = readLink('https://p.example/update-password#access_token=a.%25.c&refresh_token=r');
  expect(mayTake(broken, true, 'me')).toBe(false);
});
