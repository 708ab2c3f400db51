// Renders a long list in steps: a sentinel at its end asks for more before it is visible.
import { type RefCallback, useCallback, useState } from 'react';

const STEP = 40;

interface GrowingCount {
  count: number;
  /** Attach to an element after the last drawn row while there is more. */
  sentinel: RefCallback<HTMLElement>;
}

/** @param resetKey a change (another search) starts again with the first rows */
export function useGrowingCount(resetKey: string): GrowingCount {
  const [grown, setGrown] = useState({ resetKey, count: STEP });
  const count = grown.resetKey === resetKey ? grown.count : STEP;
  const sentinel = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting))
            setGrown((now) => ({
              resetKey,
              count: (now.resetKey === resetKey ? now.count : STEP) + STEP,
            }));
        },
        { rootMargin: '800px' },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    // A new count needs a new look: the sentinel may still be in view.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [resetKey, count],
  );
  return { count, sentinel };
}
