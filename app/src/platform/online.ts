// Whether the device says that it has a network: the one place that asks it, for the query client, components and plain code.
import { useSyncExternalStore } from 'react';

/** What the device says now. True promises nothing: the network may lead nowhere. */
export const isOnline = (): boolean => navigator.onLine;

/** Calls back with what the device says now, whenever that changes. The returned function ends it. */
export function onOnlineChange(told: (online: boolean) => void): () => void {
  const tell = () => told(isOnline());
  addEventListener('online', tell);
  addEventListener('offline', tell);
  return () => {
    removeEventListener('online', tell);
    removeEventListener('offline', tell);
  };
}

/** Calls back whenever the network is there again. The returned function ends it. */
export const onReconnect = (told: () => void): (() => void) =>
  onOnlineChange((online) => {
    if (online) told();
  });

/** Resolves once there is a network; at once where there is one. */
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
