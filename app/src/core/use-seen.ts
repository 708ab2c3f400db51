// True once an element has scrolled into view, for requests that can wait until then.
import { type RefObject, useEffect, useState } from 'react';

export function useSeen(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!ref.current || seen) return undefined;
    const sight = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    sight.observe(ref.current);
    return () => sight.disconnect();
  }, [ref, seen]);
  return seen;
}
