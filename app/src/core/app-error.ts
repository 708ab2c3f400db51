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

/** IDs of the latest rejected requests by status. The host logs them, and an error without advice shows the ID. */
const rejected = new Map<number, string>();

export const noteRejection = (status: number, id: string | null): void =>
  void rejected.set(status, id ?? '');

/** @param status of the response that caused the error */
export const rejectionId = (status = 0): string | undefined => rejected.get(status);
