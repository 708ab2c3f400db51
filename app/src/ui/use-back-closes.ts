// A layer over a screen that the back button closes, before it leads anywhere; of several, the one that was opened last.
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** Those that are open, the last on top. */
const layers: symbol[] = [];

/** @param isOpen false: the layer is not there, and back leads where it always does */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const router = useRouter();
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const layer = Symbol();
    layers.push(layer);
    const unblock = router.history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => {
        if (action !== 'BACK' || layers.at(-1) !== layer) return false;
        close();
        return true;
      },
    });
    return () => {
      unblock();
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [isOpen, router]);
}
