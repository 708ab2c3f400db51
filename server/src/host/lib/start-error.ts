// What stops the host from starting and a person can mend.

/** Its message is one clear sentence (or two) for the terminal; it is shown without a stack. */
export class StartError extends Error {}
