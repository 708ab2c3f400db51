// Renders a long list in steps: a sentinel at its end asks for more before it is visible.
import { useCallback, useState } from 'react';

const STEP = 40;

/**
 * `sentinel` goes to an element after the last drawn row while there is more.
 * @param resetKey a change (another search) starts again with the first rows
 */
export function useGrowingCount(resetKey: string) {
  const [grown, setGrown] = useState({ resetKey, count: STEP });
  if (grown.resetKey !== resetKey) setGrown({ resetKey, count: STEP });
  const sentinel = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting))
            setGrown({ ...grown, count: grown.count + STEP });
        },
        { rootMargin: '800px' },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    // A new count needs a new look: the sentinel may still be in view.
    [grown],
  );
  return { count: grown.count, sentinel };
}
