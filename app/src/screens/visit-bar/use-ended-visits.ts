// Calls back once for each ended visit that this device has seen, however it ended, even if the app was closed at that time.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { loadEndedVisit, type EndedVisit } from '#/features/check-ins/ended-visit.ts';
import type { MyVisit } from '#/features/check-ins/my-visit.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import type { ParkStatus } from '#/entities/parks/park-status.ts';
import { getSession } from '#/data/session/session.ts';
import { useQueueOwner } from '#/offline/command-queue/queued-commands.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

/** The user's last visit seen on this device; null if there is none. */
function seenVisit(): MyVisit | null {
  const { userId, ...visit } = JSON.parse(readLocal('seenVisit') ?? '{}') as Partial<
    MyVisit & { userId: string | null }
  >;
  return visit.check_in_id !== undefined && userId === getSession().userId
    ? (visit as MyVisit)
    : null;
}

const remember = (visit: MyVisit | null): void =>
  writeLocal('seenVisit', visit && JSON.stringify({ ...visit, userId: getSession().userId }));

/** @param current the current visit; undefined while unknown */
export function useEndedVisits(
  current: MyVisit | null | undefined,
  onEnded: (left: EndedVisit) => void,
): void {
  const queryClient = useQueryClient();
  // Wait until the queue has been read, because a queued visit seems not to exist before that.
  const isQueueRead = useQueueOwner() === getSession().userId;
  /** Visits that the server may still consider active, because the command that ends them is being sent. */
  const unconfirmed = useRef<MyVisit[]>([]);
  const ended = useEffectEvent(async (visit: MyVisit) => {
    const status = queryClient.getQueryData<ParkStatus>(parkKeys.status(visit.park_id));
    const left = await loadEndedVisit(visit, Boolean(status?.my_review_id));
    if (!left) return;
    unconfirmed.current = unconfirmed.current.filter(
      ({ check_in_id }) => check_in_id !== visit.check_in_id,
    );
    onEnded(left);
  });
  // Only the visible tab shows the prompt.
  const [resumed, setResumed] = useState(0);
  useEffect(() => onResume(() => setResumed((times) => times + 1)), []);
  useEffect(() => {
    if (current === undefined || !isQueueRead || document.hidden) return;
    const before = seenVisit();
    remember(current);
    const over = current?.isQueued ? [] : unconfirmed.current.splice(0);
    if (before && before.check_in_id !== current?.check_in_id) {
      over.push(before);
      if (current?.isQueued) unconfirmed.current.push(before);
    }
    for (const visit of over)
      ended(visit).catch((error: unknown) => console.warn('The visit-ended prompt failed:', error));
  }, [current, isQueueRead, resumed]);
}
