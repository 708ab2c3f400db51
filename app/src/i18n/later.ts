// The texts that neither the home map nor anything on it shows: other screens fetch them.
export const LATER = /^(account\.|parkInvites\.|users\.(?!page\.)|dogs\.(now|form)\.)/;
