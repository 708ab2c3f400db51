// Takes back the invites to a meeting of mine; the guests who accepted are told.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';
import { unwrap } from '#/i18n/errors.ts';
import { renewEverywhere } from '#/data/own-tabs.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';

export function useCallOff() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ park_id, meet_at }: Pick<Meeting, 'park_id' | 'meet_at'>) => {
      const client = await supabase();
      unwrap(await client.rpc('call_off_meeting', { p_park_id: park_id, p_meet_at: meet_at }));
    },
    onSettled: () => renewEverywhere(queryClient, [peopleKeys.meetings]),
  });
}
