// When the user's calendar URL was created, if there is one.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { requestJson } from '#/data/request.ts';

export const calendarFeedQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.calendarFeed,
    /** ISO 8601; null if there is none. */
    queryFn: () => requestJson<string | null>((client) => client.rpc('my_calendar_feed')),
  });
