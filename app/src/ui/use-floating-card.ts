// Shows only the first requested floating card in this order, so none covers another.
import { useEffect } from 'react';
import { createStore, useStore } from '#/core/store.ts';

const ORDER = ['park', 'location', 'arrival', 'question', 'photo', 'install'] as const;
type CardName = (typeof ORDER)[number];

const requested = createStore<readonly CardName[]>([]);

/** @returns true if the card may be shown */
export function useFloatingCard(name: CardName, isRequested: boolean): boolean {
  const all = useStore(requested);
  useEffect(() => {
    if (!isRequested) return undefined;
    requested.set([...requested.get(), name]);
    return () => requested.set(requested.get().filter((other) => other !== name));
  }, [name, isRequested]);
  return isRequested && ORDER.find((each) => all.includes(each)) === name;
}
