// A failure that a screen can tell: the key of its text, and a status as HTTP means it.

/** What a text of the catalogue takes; i18n adds which keys there are, for core imports nothing of ours. */
export interface ErrorText {
  values: Record<string, string | number>;
}

type Key = ErrorText extends { key: infer Known extends string } ? Known : string;

export class AppError extends Error {
  readonly key: Key;
  readonly status: number;
  readonly values: ErrorText['values'];

  /** @param status HTTP's meaning; 400 unless said otherwise */
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
