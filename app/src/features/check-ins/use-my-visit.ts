// The user's current visit and plan for components, updated by the server, the queue and the clock.
import { useEffect, useMemo, useState } from 'react';
import { useMyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { dogsMoved, type MyVisit, myVisit } from '#/features/check-ins/my-visit.ts';
import { unsentDogs } from '#/entities/parks/unsent-dogs.ts';
import { useSession } from '#/data/session/session.ts';
import { useUnsent } from '#/offline/command-queue/queued-commands.ts';

function useCurrent(): MyVisit | null | undefined {
  const { status } = useSession();
  const isIn = status === 'in';
  const fetched = useMyCheckIn(isIn).data;
  const [now, setNow] = useState(Date.now);
  const unsent = useUnsent();
  const visit = useMemo(() => myVisit(fetched, unsent, now), [fetched, unsent, now]);
  const end = visit?.expires_at;
  useEffect(() => {
    if (end === undefined) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Date.parse(end) - Date.now());
    return () => clearTimeout(timer);
  }, [end, now]);
  if (status === 'unknown') return undefined;
  return isIn ? visit : null;
}

/** Null if the user is not checked in or is logged out; undefined while that is unknown. */
export function useMyVisit(): MyVisit | null | undefined {
  const current = useCurrent();
  return current?.type === 'plan' ? null : current;
}

/** The user's plan; null without one. */
export function useMyPlan(): MyVisit | null {
  const current = useCurrent();
  return current?.type === 'plan' ? current : null;
}

/** Corrects the dog counts on all screens by the user's own dogs while a check-in or check-out is unsent. */
export function useCountOwnDogs(visit: MyVisit | null | undefined): void {
  const fetched = useMyCheckIn(useSession().status === 'in').data;
  useEffect(() => {
    if (visit !== undefined)
      unsentDogs.set(dogsMoved(myVisit(fetched, [], Date.now()) ?? null, visit));
    return () => unsentDogs.set({});
  }, [fetched, visit]);
}
