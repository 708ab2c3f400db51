// Calls once after each visit that this device saw, however it ended: also while the app was closed.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { loadGoodbye, type Goodbye, type SeenVisit } from '#/features/check-ins/goodbye.ts';
import type { Stay } from '#/features/check-ins/my-stay.ts';
import { parkKeys } from '#/data/park-keys.ts';
import type { ParkStatus } from '#/data/parks/park-status.ts';
import { getSession } from '#/data/session/session.ts';
import { usePendingOwner } from '#/offline/command-queue/pending.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

interface Remembered extends SeenVisit {
  userId: string | null;
}

function seenVisit(): SeenVisit | null {
  const { userId, ...visit } = JSON.parse(readLocal('seenVisit') ?? '{}') as Partial<Remembered>;
  return visit.id !== undefined && userId === getSession().userId ? (visit as SeenVisit) : null;
}

const remember = (stay: Stay): void =>
  writeLocal(
    'seenVisit',
    JSON.stringify({
      id: stay.check_in_id,
      parkId: stay.park_id,
      parkName: stay.park_name,
      startedAt: stay.started_at,
      expiresAt: stay.expires_at,
      userId: getSession().userId,
    } satisfies Remembered),
  );

/** @param stay where the person is; undefined while that is unknown */
export function useGoodbye(stay: Stay | null | undefined, onEnded: (left: Goodbye) => void): void {
  const queryClient = useQueryClient();
  // Before that a visit that waits to be sent looks like none.
  const isQueueRead = usePendingOwner() === getSession().userId;
  /** Visits that the server may not know to be over yet, because what ends them is still being sent. */
  const unasked = useRef<SeenVisit[]>([]);
  const ended = useEffectEvent(async (visit: SeenVisit) => {
    const status = queryClient.getQueryData<ParkStatus>(parkKeys.status(visit.parkId));
    const left = await loadGoodbye(visit, Boolean(status?.my_review_id));
    if (!left) return;
    unasked.current = unasked.current.filter(({ id }) => id !== visit.id);
    onEnded(left);
  });
  // The question is for the tab that is looked at.
  const [resumed, setResumed] = useState(0);
  useEffect(() => onResume(() => setResumed((times) => times + 1)), []);
  useEffect(() => {
    if (stay === undefined || !isQueueRead || document.hidden) return;
    const before = seenVisit();
    if (stay) remember(stay);
    else writeLocal('seenVisit', null);
    const over = stay?.isWaiting ? [] : unasked.current.splice(0);
    if (before && before.id !== stay?.check_in_id) {
      over.push(before);
      if (stay?.isWaiting) unasked.current.push(before);
    }
    for (const visit of over)
      ended(visit).catch((error: unknown) => console.warn('No goodbye:', error));
  }, [stay, isQueueRead, resumed]);
}
