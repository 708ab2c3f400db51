/**
 * An error that stops a command or the start and that an operator can fix. Its message is shown in the terminal without a stack
 * trace.
 */
export class StartError extends Error {
  readonly exitCode: number = 1;
}
