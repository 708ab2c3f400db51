// The query for the time at which the user's calendar URL was created.
import { queryOptions } from '@tanstack/react-query';
import { userKeys } from '#/entities/users/user-keys.ts';
import { requestJson } from '#/data/request.ts';

export const calendarFeedQueryOptions = () =>
  queryOptions({
    queryKey: userKeys.calendarFeed,
    /** ISO 8601; null if the user has no calendar URL. */
    queryFn: () => requestJson<string | null>((client) => client.rpc('my_calendar_feed')),
  });
