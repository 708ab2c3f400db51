// Idempotency keys for forms and buttons: the same key for a retry after a lost response, a new key for anything else.
import { useState } from 'react';
import { newUuid } from '#/core/uuid.ts';

interface IdempotencyKey {
  /**
   * The key for these values (serialised as JSON): the previous key, unless it was used successfully or the values have changed.
   */
  of: (values: unknown) => string;
  /** Call after the server has responded. */
  done: () => void;
}

/** For code outside React; components use `useIdempotencyKey`. */
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
