// The texts that the specification gives word for word, under the keys that the code shows them by (scripts/check-i18n.ts
// proves that the code asks for each key).
import { expect, test } from 'vitest';
import english from '#/i18n/messages/en.json' with { type: 'json' };

const TEXTS: Partial<Record<keyof typeof english, string>> = {
  // Validation
  'auth.form.missing': 'Please fill in the missing details',
  'parks.new.required': 'Please fill in the missing details',
  'auth.form.emailMissing': 'Please enter email',
  'auth.form.newPasswordMissing': 'Please enter a new password',
  // Signing in
  'auth.error.invalidCredentials': 'Incorrect email or password',
  'auth.error.emailNotConfirmed': 'Please verify your email before logging in',
  'auth.error.samePassword': 'Please enter a new password',
  'errors.tooManyAttempts': 'Too many attempts. Try again later',
  'errors.accessDenied': 'Access denied',
  'auth.updatePassword.invalidLink':
    'This reset link is invalid or expired. Please request a new one.',
  'users.search.gate': "To see user's page and make friends, you must log in!",
  'users.page.notFound': 'User not found',
  // Failures
  'errors.imageTooLarge': 'Upload failed: The image is too large',
  'errors.dogAteTheCode': 'Oh oh! It seems my dog ate the code. Please try again later.',
  'errors.generic': 'Sorry, something went wrong',
  'errors.notFound': 'Could not find page',
  'shell.error.title': 'Uh-oh! {message}',
  'shell.error.problem': 'There was a problem',
  'shell.error.offline': 'no internet connection',
  // Places
  'places.search.notFound': "Oops! We couldn't sniff out that address",
  'places.denied.text':
    'We couldn’t access your location. You can enable location permissions in your device settings.',
  'places.denied.openSettings': 'Open settings',
  'places.denied.later': 'Maybe later',
  'places.denied.never': "Don't show again",
};

test.each(Object.entries(TEXTS))('%s: %s', (key, text) => {
  // In ICU two apostrophes are one.
  expect(english[key as keyof typeof english].replaceAll("''", "'")).toBe(text);
});

test.each([
  ['parks.share.copied', /link copied/i],
  ['liveReports.thanks', /thanks for sharing/i],
  ['liveReports.thanksUpdate', /thanks for the update/i],
  ['liveReports.rejected.report', /try again later/i],
  ['liveReports.rejected.confirm', /try again later/i],
  ['liveReports.rejected.end', /try again later/i],
  ['friends.toast.sent', /friend request sent/i],
  ['friends.toast.removed', /friend request removed/i],
  ['friends.toast.failed', /friend request failed/i],
  ['friends.toast.nowFriends', /now friends/i],
  ['friends.toast.noLonger', /no longer friends/i],
  ['parks.new.thanks', /will be added shortly/i],
  ['ui.popup.goodBoy', /good boy/i],
  ['auth.error.userBanned', /temporarily suspended/i],
  ['auth.error.emailExists', /already registered/i],
  ['errors.sessionExpired', /log in again/i],
] as const)('%s says %s', (key, words) => {
  expect(english[key]).toMatch(words);
});
