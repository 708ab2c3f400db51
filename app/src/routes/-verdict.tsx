// A park's verdict on a card, asked for once the card is in sight.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { VerdictLine } from '#/features/parks/components/verdict-line.tsx';
import type { LatLong } from '#/core/distance.ts';
import { useGoNow } from '#/routes/-go-now.ts';
import { Skeleton } from '#/ui/skeleton.tsx';

export function Verdict({ park }: { park: { id: number; location: LatLong } }) {
  const ref = useRef<HTMLSpanElement>(null);
  const seen = useSeen(ref);
  const answer = useGoNow(park.id, park.location, seen);
  return (
    <span ref={ref}>
      {answer === undefined
        ? seen && <Skeleton width="8rem" height="1.2rem" />
        : answer && <VerdictLine answer={answer} />}
    </span>
  );
}

/** True from the moment that something of the element is in sight. */
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
