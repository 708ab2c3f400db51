// A shell's copy in memory of what the client stores: the secure storage is asynchronous, and the first screen cannot wait for it.

/** The client's key for its session; where it is missing, the person is a visitor, known without loading the client. */
export const SESSION_KEY = 'packpark-session';

/** What the shell's storage read or was told to store, by key; null where there is nothing. */
export const stored = new Map<string, string | null>();
