// Limits of messages between finders and owners. The database rejects longer ones.

/** Maximum length of a finder's message and of the answer. */
export const MAX_LETTERS = 300;

/** Maximum length of a phone number, with spaces and punctuation. */
export const MAX_PHONE = 30;
