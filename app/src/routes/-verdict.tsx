// A park's verdict on a card, asked for once the card is in sight.
import { useRef } from 'react';
import { VerdictLine } from '#/features/parks/components/verdict-line.tsx';
import type { ParkFacts } from '#/features/parks/find-parks.ts';
import type { LatLong } from '#/core/distance.ts';
import { useSeen } from '#/core/use-seen.ts';
import { useGoNow } from '#/routes/-go-now.ts';
import { Skeleton } from '#/ui/skeleton.tsx';

interface VerdictProps {
  /** With its facts, where the list is on the screen. */
  park: { id: number; location: LatLong; facts?: ParkFacts };
}

export function Verdict({ park }: VerdictProps) {
  const ref = useRef<HTMLSpanElement>(null);
  const seen = useSeen(ref);
  const answer = useGoNow(park, seen);
  return (
    <span ref={ref}>
      {answer === undefined
        ? seen && <Skeleton width="8rem" height="1.2rem" />
        : answer && <VerdictLine answer={answer} />}
    </span>
  );
}
