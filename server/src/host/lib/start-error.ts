// Errors that stop a command or the start and that an operator can fix.

/** Its message is one clear sentence (or two) for the terminal; it is shown without a stack. */
export class StartError extends Error {
  readonly exitCode: number = 1;
}
