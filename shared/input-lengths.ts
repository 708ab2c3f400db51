// Maximum lengths, the same in the app's fields and the server: if only one truncated a password, logins would fail.
export const MAX_PASSWORD_LENGTH = 256;
export const MAX_EMAIL_LENGTH = 254;
/** Maximum length of the text of an address search. */
export const MAX_PLACE_LENGTH = 200;
