// The device's network state, for the query client, components and other code.
import { useSyncExternalStore } from 'react';

/** True does not guarantee a connection. */
export const isOnline = (): boolean => navigator.onLine;

/** True if the host of the app answers: a device that is online may still not reach it. */
export const isHostReachable = (): Promise<boolean> =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/** @returns a function that unsubscribes */
export function onOnlineChange(callback: (online: boolean) => void): () => void {
  const listener = () => callback(isOnline());
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Calls back when the device comes online. @returns a function that unsubscribes */
export const onReconnect = (callback: () => void): (() => void) =>
  onOnlineChange((online) => {
    if (online) callback();
  });

/** Resolves once the device is online, immediately if it already is. */
export function whenOnline(): Promise<void> {
  if (isOnline()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = onReconnect(() => {
      stop();
      resolve();
    });
  });
}

export const useOnline = (): boolean => useSyncExternalStore(onOnlineChange, isOnline);
