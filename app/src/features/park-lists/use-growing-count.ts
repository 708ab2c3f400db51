// Renders a long list in steps. A sentinel after the last row triggers the next step before it becomes visible.
import { useCallback, useState } from 'react';

const STEP = 40;

/**
 * While there are more rows, render an element with the ref `sentinel` after the last one. @param resetKey when this changes, for
 * example for another search, the list returns to the first rows
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
    // Create a new observer after each step, because the sentinel may still be in view.
    [grown],
  );
  return { count: grown.count, sentinel };
}
