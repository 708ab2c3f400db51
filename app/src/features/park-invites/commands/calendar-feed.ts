// Makes the secret address of my meetings for a calendar program, and switches it off.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { siteUrl } from '#/platform/site-url.ts';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { request } from '#/data/request.ts';

function useFeedMutation<T>(change: () => Promise<T>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    // The address cannot be read again: it is forgotten with the screen.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: peopleKeys.calendarFeed }),
  });
}

/** Its answer is the new address; an earlier one opens nothing any more. */
export const useMakeCalendarFeed = () =>
  useFeedMutation(async () =>
    siteUrl(`/calendar/${await request((client) => client.rpc('make_calendar_feed'))}.ics`),
  );

export const useEndCalendarFeed = () =>
  useFeedMutation(() => request((client) => client.rpc('end_calendar_feed')));
