// The idempotency key of what a form or button is about to do: the same for a repeat after a lost answer, a new one for anything else.
import { useState } from 'react';
import { newUuid } from '#/core/uuid.ts';

interface IdempotencyKey {
  /** The key to send these values (JSON) under: the last one, unless that was done or the values are others now. */
  of: (values: unknown) => string;
  /** The server has answered that it is done. */
  done: () => void;
}

/** For code outside React; a component takes `useIdempotencyKey`. */
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

/** One for as long as the component is on the screen. */
export const useIdempotencyKey = (): IdempotencyKey => useState(makeIdempotencyKey)[0];
