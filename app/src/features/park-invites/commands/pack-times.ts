// Creates a weekly meeting at a park, and reports one to the moderators.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { withAge } from '#/data/session/age-prompt.ts';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';

interface NewPackTime {
  parkId: number;
  /** 0 is Sunday. */
  weekday: number;
  /** `HH:MM` in the park's time zone. */
  starts: string;
}

export function useMakePackTime() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ parkId, weekday, starts }: NewPackTime) =>
      withAge(() =>
        request((client) =>
          client.rpc('make_pack_time', { p_park_id: parkId, p_weekday: weekday, p_starts: starts }),
        ),
      ),
    onSettled: () => invalidateInAllTabs(queryClient, [userKeys.meetings]),
  });
}

export const useReportPackTime = () =>
  useMutation({
    mutationFn: (id: string) =>
      request((client) =>
        client.rpc('report_pack_time', { p_pack_time_id: id, p_reason: 'misinformation' }),
      ),
  });
