// Idempotency keys for forms and buttons. A retry after a lost response uses the same key; a changed input uses a new one.
import { useState } from 'react';
import { newUuid } from '#/core/uuid.ts';

interface IdempotencyKey {
  /**
   * The key for these values (serialised as JSON): the previous key, unless it was used successfully or the values have changed.
   */
  of: (values: unknown) => string;
  /** Call this after the server has responded. The next call then uses a new key. */
  done: () => void;
}

/** Creates a key for code outside React. Components use `useIdempotencyKey`. */
export function makeIdempotencyKey(): IdempotencyKey {
  let last: { key: string; values: string } | null = null;
  return {
    of: (values) => {
      const text = JSON.stringify(values);
      if (last?.values !== text) last = { key: newUuid(), values: text };
      return last.key;
    },
    done: () => {
      last = null;
    },
  };
}

/** Lives as long as the component is mounted. */
export const useIdempotencyKey = (): IdempotencyKey => useState(makeIdempotencyKey)[0];
