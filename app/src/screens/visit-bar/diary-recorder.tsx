// Records during a visit how many dogs are there, and friends' dogs by name, in the diary on this device.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { parkStatusQueryOptions } from '#/entities/parks/park-status.ts';
import { saveInDiary, useDiary } from '#/features/diaries/queries/diary.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { withMet } from '#/entities/diary/diary.ts';

export default function DiaryRecorder({ userId, visit }: { userId: string; visit: MyCheckIn }) {
  const { check_in_id: visitId, park_id: parkId } = visit;
  const own = visit.counted ? visit.dog_count : 0;
  useDiary(userId);
  // Fetched once here; updates that other components fetch arrive here, too.
  const { data: status } = useQuery({
    ...parkStatusQueryOptions(parkId),
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  useEffect(() => {
    // A status without friends comes from the cache, so it does not describe who is there now.
    if (!status?.friends_here) return;
    const there = status.friends_here.flatMap(({ id: ownerId, dogs }) =>
      dogs.map(({ id, name }) => ({ id, name, ownerId })),
    );
    // The count may be hidden, but at least the friends' dogs are there.
    const others = Math.max(there.length, status.dogs_now - own);
    saveInDiary(userId, (diary) => withMet(diary, visitId, others, there)).catch((error: unknown) =>
      console.warn('The diary could not be saved:', error),
    );
  }, [status, userId, visitId, own]);
  return null;
}
