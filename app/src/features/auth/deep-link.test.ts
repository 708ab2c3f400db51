// Tests which links open the app, valid links and ones that an attacker might create.
import { expect, it } from 'vitest';
import { readDeepLink } from '#/features/auth/deep-link.ts';

const SITE = 'https://park.example';
const ID = '0d5f6f3e-1111-4222-8333-444455556666';
const read = (href: string) => readDeepLink(href, SITE);

it.each([
  ['packpark://parks/12', '/parks/12'],
  ['packpark://parks/12/', '/parks/12'],
  ['packpark://parks/12/reviews', '/parks/12/reviews'],
  ['packpark://share/parks/12', '/parks/12'],
  ['https://park.example/share/parks/12', '/parks/12'],
  ['https://park.example/parks/12?utm=x#y', '/parks/12'],
  ['https://park.example/parks/12?park=3', '/parks/12'],
  ['packpark://profile', '/profile'],
  [`packpark://profile/${ID}/dogs/${ID}`, `/profile/${ID}/dogs/${ID}`],
  ['packpark://notifications', '/notifications'],
  [`https://park.example/dog-invites/${'0f'.repeat(16)}`, `/dog-invites/${'0f'.repeat(16)}`],
  [`https://park.example/meet/${'0f'.repeat(16)}`, `/meet/${'0f'.repeat(16)}`],
  [`https://park.example/tag/${'0f'.repeat(16)}`, `/tag/${'0f'.repeat(16)}`],
  ['packpark://', '/'],
  ['https://park.example/', '/'],
])('screens: %s opens %s', (href, path) => {
  expect(read(href)).toEqual({ type: 'screen', path });
});

it.each([
  'https://evil.example/parks/12',
  'https://park.example.evil.example/parks/12',
  'https://park.example@evil.example/parks/12',
  'https://me:secret@park.example/parks/12',
  'http://park.example/parks/12',
  'packpark://parks/12/../../login',
  'packpark://parks/0',
  'packpark://parks/1e3',
  'packpark://login?next=//evil.example',
  'packpark://user-deleted',
  'packpark:///evil.example',
  'javascript:alert(1)',
  'intent://parks/1#Intent;scheme=packpark;end',
  'not an address',
])('screens: %s opens nothing', (href) => {
  expect(read(href)).toBeNull();
});

it('sessions: a login link contains the secret that the app created', () => {
  expect(read('packpark://auth-callback?app_state=s&code=c')).toMatchObject({
    type: 'signIn',
    link: { code: 'c' },
    secret: 's',
  });
  expect(read('packpark://auth-callback?app_state=s#access_token=a&refresh_token=r')).toMatchObject(
    { secret: 's', link: { tokens: { access_token: 'a', refresh_token: 'r' } } },
  );
});

it('sessions: a login link without the secret, or with it in the fragment, has no secret', () => {
  expect(read('packpark://auth-callback#access_token=a&refresh_token=r&app_state=s')).toMatchObject(
    { secret: null },
  );
});

it("sessions: from a mail's link, only the code is read", () => {
  expect(
    read(
      'packpark://email-callback?code=c&token_hash=h&type=signup#access_token=a&refresh_token=r',
    ),
  ).toEqual({ type: 'mail', code: 'c', next: '/profile' });
  expect(read('packpark://update-password?code=c')).toEqual({
    type: 'mail',
    code: 'c',
    next: '/update-password',
  });
});
