// Texts quoted in the specification and their keys. scripts/check-i18n.ts checks that the code uses each key.
import { expect, test } from 'vitest';
import english from '../../../languages/en/app.json' with { type: 'json' };

const TEXTS: Partial<Record<keyof typeof english, string>> = {
  'ui.missing': 'Please fill in the missing details',
  'auth.form.emailMissing': 'Please enter email',
  'auth.form.newPasswordMissing': 'Please enter a new password',
  'errors.invalid_credentials': 'Incorrect email or password',
  'errors.email_not_confirmed': 'Please verify your email before logging in',
  'errors.same_password': 'Please enter a new password',
  'errors.too_many': 'Too many attempts. Try again later',
  'errors.access_denied': 'Access denied',
  'auth.updatePassword.invalidLink':
    'This reset link is invalid or expired. Please request a new one.',
  'users.search.gate': "To see user's page and make friends, you must log in!",
  'users.page.notFound': 'User not found',
  'errors.image_too_large': 'Upload failed: The image is too large',
  'errors.unexpected': 'Oh oh! It seems my dog ate the code. Please try again later.',
  'errors.generic': 'Sorry, something went wrong',
  'errors.not_found': 'Could not find page',
  'shell.error.title': 'Uh-oh! {message}',
  'shell.error.problem': 'There was a problem',
  'shell.error.offline': 'no internet connection',
  'places.search.notFound': "Oops! We couldn't sniff out that address",
  'places.denied.text':
    'We couldn’t access your location. You can enable location permissions in your device settings.',
  'ui.openSettings': 'Open settings',
  'places.denied.later': 'Maybe later',
  'ui.neverAgain': "Don't show again",
};

test.each(Object.entries(TEXTS))('%s: %s', (key, text) => {
  // ICU escapes an apostrophe as two.
  expect(english[key as keyof typeof english].replaceAll("''", "'")).toBe(text);
});

test.each([
  ['ui.copied', /link copied/i],
  ['liveReports.thanks', /thanks for sharing/i],
  ['ui.thanksUpdate', /thanks for the update/i],
  ['liveReports.rejected.report', /try again later/i],
  ['liveReports.rejected.confirm', /try again later/i],
  ['liveReports.rejected.end', /try again later/i],
  ['friendships.toast.sent', /friend request sent/i],
  ['friendships.toast.removed', /friend request removed/i],
  ['friendships.toast.failed', /friend request failed/i],
  ['friendships.toast.nowFriends', /now friends/i],
  ['friendships.toast.noLonger', /no longer friends/i],
  ['parks.new.thanks', /will be added shortly/i],
  ['ui.popup.goodBoy', /good boy/i],
  ['errors.user_banned', /temporarily suspended/i],
  ['errors.email_exists', /already registered/i],
  ['errors.session_expired', /log in again/i],
] as const)('%s says %s', (key, words) => {
  expect(english[key]).toMatch(words);
});
