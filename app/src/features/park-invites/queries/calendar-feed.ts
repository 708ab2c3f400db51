// When the user's calendar URL was created, if there is one.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { requestJson } from '#/data/request.ts';

export const calendarFeedQueryOptions = () =>
  queryOptions({
    queryKey: userKeys.calendarFeed,
    /** ISO 8601; null if there is none. */
    queryFn: () => requestJson<string | null>((client) => client.rpc('my_calendar_feed')),
  });
