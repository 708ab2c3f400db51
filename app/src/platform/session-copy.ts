// A shell's copy of the stored session in memory: the secure storage is asynchronous, and the first screen cannot wait for it.

/** The client's key for its session; where it is missing, the person is a visitor, known without loading the client. */
export const SESSION_KEY = 'packpark-session';

let copy: string | null = null;

/** For the shell's storage: what it read or was told to store. Other keys than the session's are ignored. */
export function setSessionCopy(key: string, text: string | null): void {
  if (key === SESSION_KEY) copy = text;
}

/** The session's text, or null where there is none or the storage was not read yet. */
export const sessionCopy = (): string | null => copy;
