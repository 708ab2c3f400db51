// Errors that stop a command or the start and that an operator can fix.

/** An error whose message is one or two sentences for the terminal; it is shown without a stack trace. */
export class StartError extends Error {
  readonly exitCode: number = 1;
}
