// Where I am, for components: renders again when the server, the queue or the clock say something else.
import { useEffect, useMemo, useState } from 'react';
import { useMyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { dogsMoved, type MyVisit, myVisit } from '#/features/check-ins/my-visit.ts';
import { ownDogs } from '#/entities/parks/own-dogs.ts';
import { useSession } from '#/data/session/session.ts';
import { useQueuedCommands } from '#/offline/command-queue/queued-commands.ts';

/** Null where I am at no park, or logged out; undefined while that is unknown. */
export function useMyVisit(): MyVisit | null | undefined {
  const isIn = useSession().status === 'in';
  const answer = useMyCheckIn(isIn).data;
  const [now, setNow] = useState(Date.now);
  const pending = useQueuedCommands();
  const visit = useMemo(() => myVisit(answer, pending, now), [answer, pending, now]);
  const end = visit?.expires_at;
  useEffect(() => {
    if (end === undefined) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Date.parse(end) - Date.now());
    return () => clearTimeout(timer);
  }, [end, now]);
  return isIn ? visit : null;
}

/** Lets the counts of all screens have one's own dogs where one is. */
export function useCountOwnDogs(visit: MyVisit | null | undefined): void {
  const answer = useMyCheckIn(true).data;
  useEffect(() => {
    if (visit !== undefined) ownDogs.set(dogsMoved(myVisit(answer, [], Date.now()) ?? null, visit));
    return () => ownDogs.set({});
  }, [answer, visit]);
}
