// Which cards may float over a screen: of those that want to, only the first in this list, so that no two cover each other.
import { useEffect } from 'react';
import { createStore, useStore } from '#/core/store.ts';

const ORDER = ['park', 'location', 'arrival', 'question'] as const;
type Layer = (typeof ORDER)[number];

const wanted = createStore<readonly Layer[]>([]);

export function useFloatingCard(layer: Layer, isWanted: boolean): boolean {
  const all = useStore(wanted);
  useEffect(() => {
    if (!isWanted) return undefined;
    wanted.set([...wanted.get(), layer]);
    return () => wanted.set(wanted.get().filter((other) => other !== layer));
  }, [layer, isWanted]);
  return isWanted && ORDER.find((each) => all.includes(each)) === layer;
}
