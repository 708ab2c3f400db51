// Creates and disables the secret URL with which calendar apps fetch the user's meetings.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { siteUrl } from '#/platform/site-url.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { request } from '#/data/request.ts';

function useFeedMutation<T>(change: () => Promise<T>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    // The URL is secret, so it is discarded when the screen closes.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: userKeys.calendarFeed }),
  });
}

/** The mutation resolves to the new URL. The previous one becomes invalid. */
export const useMakeCalendarFeed = () =>
  useFeedMutation(async () =>
    siteUrl(`/calendar/${await request((client) => client.rpc('make_calendar_feed'))}.ics`),
  );

export const useEndCalendarFeed = () =>
  useFeedMutation(() => request((client) => client.rpc('end_calendar_feed')));
