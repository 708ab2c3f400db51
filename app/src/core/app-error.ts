// An error that a screen can show: the key of its message, and an HTTP status.

/** Parameters of an error message. i18n augments this type with the known keys, because core has no internal imports. */
export interface ErrorText {
  values: Record<string, string | number>;
}

type Key = ErrorText extends { key: infer Known extends string } ? Known : string;

export class AppError extends Error {
  readonly key: Key;
  readonly status: number;
  readonly values: ErrorText['values'];

  /** @param status HTTP status */
  constructor(
    key: Key,
    status = 400,
    { values = {}, cause }: { values?: ErrorText['values']; cause?: unknown } = {},
  ) {
    super(`${key} (${status})`, { cause });
    this.name = 'AppError';
    this.key = key;
    this.status = status;
    this.values = values;
  }
}
