// The user's diary, combined from entries on this device and recent visits on the server.
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '#/data/query-client.ts';
import { getSession } from '#/data/session/session.ts';
import { supabase } from '#/data/supabase.ts';
import { unwrap } from '#/i18n/errors.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import {
  changeDiary,
  type Diary,
  readDiary,
  withoutStrangers,
  withVisits,
} from '#/entities/diary/diary.ts';

const diaryKey = (userId: string) => ['diary', userId] as const;

/** Adds the server's visits to the diary, and removes the dogs of former friends. @throws {AppError} */
async function syncVisits(userId: string): Promise<Diary> {
  const client = await supabase();
  const [rows, friends] = await Promise.all([
    client
      .from('check_ins')
      .select('id,park_id,started_at,check_in_dogs(dog_id),parks(park_translations(language,name))')
      .eq('type', 'visit')
      .order('started_at', { ascending: false })
      .then(unwrap),
    client.from('friends').select('user_id').then(unwrap),
  ]);
  const visits = rows.map(({ id, park_id: parkId, started_at, check_in_dogs, parks }) => {
    const names = parks?.park_translations ?? [];
    const of = (code: string) => names.find(({ language }) => language === code)?.name;
    return {
      id,
      parkId,
      parkName: of(currentLanguage()) ?? of('en') ?? '',
      startedAt: started_at,
      dogs: check_in_dogs.map(({ dog_id }) => dog_id),
    };
  });
  // The diary may have been deleted by a logout in the meantime, so do not write it again.
  if (getSession().userId !== userId) return readDiary(userId);
  const friendIds = friends.flatMap(({ user_id }) => user_id ?? []);
  return changeDiary(userId, (diary) =>
    withoutStrangers(withVisits(diary, visits, Date.now()), friendIds),
  );
}

/** Changes the diary on this device and in the cache. */
export async function saveInDiary(userId: string, change: (diary: Diary) => Diary): Promise<void> {
  queryClient.setQueryData(diaryKey(userId), await changeDiary(userId, change));
}

export const useDiary = (userId: string) =>
  useQuery({
    queryKey: diaryKey(userId),
    queryFn: () =>
      syncVisits(userId).catch((error: unknown) => {
        console.warn('Visits are missing in the diary:', error);
        return readDiary(userId);
      }),
    staleTime: 0,
  });
