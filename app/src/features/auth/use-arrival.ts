// Waits for the link of this page to become a session, once per page.
import { useEffect, useState } from 'react';
import { arrive } from '#/features/auth/api/arrive.ts';
import { readLink } from '#/features/auth/link.ts';
import { toAuthError } from '#/lib/auth-errors.ts';
import type { AppError } from '#/lib/errors.ts';

export type Arrival =
  | { state: 'waiting' }
  | { state: 'arrived'; loggedIn: boolean }
  | { state: 'failed'; error: AppError; code: string | null };

/** The address as it was opened: the client and the router change it once they have used it. */
const opened = location.href;
let arriving: Promise<Arrival> | null = null;

const start = (takeTokens: boolean): Promise<Arrival> =>
  arrive(opened, takeTokens).then(
    (loggedIn): Arrival => ({ state: 'arrived', loggedIn }),
    (error: unknown): Arrival => ({
      state: 'failed',
      error: toAuthError(error),
      code: readLink(opened).code,
    }),
  );

/** @param takeTokens see `arrive` */
export function useArrival(takeTokens = false): Arrival {
  const [arrival, setArrival] = useState<Arrival>({ state: 'waiting' });
  useEffect(() => {
    let here = true;
    // A code works once: the second run of an effect must not use it again.
    arriving ??= start(takeTokens);
    void arriving.then((result) => {
      if (here) setArrival(result);
    });
    return () => {
      here = false;
    };
  }, [takeTokens]);
  return arrival;
}

/** Somebody got in by a mail's code, typed here: that the page's own link had failed no longer counts. */
export function arriveByCode(): void {
  arriving = Promise.resolve({ state: 'arrived', loggedIn: true });
}
