// Whether an address for calendar programs opens my meetings, and since when.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/entities/users/people-keys.ts';
import { askJson } from '#/data/ask.ts';

export const calendarFeedQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.calendarFeed,
    /** ISO 8601; null where there is none. */
    queryFn: () => askJson<string | null>((client) => client.rpc('my_calendar_feed')),
  });
