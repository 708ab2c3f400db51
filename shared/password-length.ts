// Maximum password length, the same in the app's fields and the server: if only one truncated it, logins would fail.
export const MAX_PASSWORD_LENGTH = 256;
