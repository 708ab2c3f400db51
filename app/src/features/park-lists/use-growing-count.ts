// Renders a long list in steps: a sentinel at its end triggers the next step before it is visible.
import { useCallback, useState } from 'react';

const STEP = 40;

/**
 * Render an element with the ref `sentinel` after the last row while there are more.
 * @param resetKey a change (for example another search) resets the list to the first rows
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
    // A new count requires a new observer, because the sentinel may still be in view.
    [grown],
  );
  return { count: grown.count, sentinel };
}
