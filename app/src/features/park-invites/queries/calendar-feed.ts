// Whether an address for calendar programs opens my meetings, and since when.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { requestJson } from '#/data/request.ts';

export const calendarFeedQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.calendarFeed,
    /** ISO 8601; null where there is none. */
    queryFn: () => requestJson<string | null>((client) => client.rpc('my_calendar_feed')),
  });
