// Whether an address for calendar programs opens my meetings, and since when.
import { queryOptions } from '@tanstack/react-query';
import { peopleKeys } from '#/data/people-keys.ts';
import { supabase } from '#/data/supabase.ts';
import { unwrapJson } from '#/i18n/errors.ts';

export const calendarFeedQueryOptions = () =>
  queryOptions({
    queryKey: peopleKeys.calendarFeed,
    /** ISO 8601; null where there is none. */
    queryFn: async () =>
      unwrapJson<string | null>(await (await supabase()).rpc('my_calendar_feed')),
  });
