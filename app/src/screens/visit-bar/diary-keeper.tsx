// Writes down during a visit how many dogs are there, and which of friends; in the diary on this device alone.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { parkStatusQueryOptions } from '#/entities/parks/park-status.ts';
import { keepInDiary, useDiary } from '#/features/diaries/queries/diary.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { withMet } from '#/entities/diary/diary.ts';

export default function DiaryKeeper({ userId, visit }: { userId: string; visit: MyCheckIn }) {
  const { check_in_id: visitId, park_id: parkId } = visit;
  const own = visit.counted ? visit.dog_count : 0;
  useDiary(userId);
  // Asked once; what other parts of the screen ask again comes here, too.
  const { data: status } = useQuery({
    ...parkStatusQueryOptions(parkId),
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  useEffect(() => {
    // An answer of an earlier day says nothing of who is there.
    if (!status?.friends_here) return;
    const there = status.friends_here.flatMap(({ id: ownerId, dogs }) =>
      dogs.map(({ id, name }) => ({ id, name, ownerId })),
    );
    // Friends are seen also where nobody counts them.
    const others = Math.max(there.length, status.dogs_now - own);
    keepInDiary(userId, (diary) => withMet(diary, visitId, others, there)).catch((error: unknown) =>
      console.warn('Nothing more can be kept in the diary:', error),
    );
  }, [status, userId, visitId, own]);
  return null;
}
