// In-memory copy of the client's storage in native apps. Secure storage is asynchronous, and the first screen cannot wait for it.

/** The client's key for its session. If it is missing, the user is logged out, which is known without loading the client. */
export const SESSION_KEY = 'packpark-session';

/** Values read from or written to storage, by key; null if there is none. */
export const stored = new Map<string, string | null>();
