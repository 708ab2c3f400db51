// Where I am checked in, if anywhere.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/lib/park-keys.ts';
import { unwrap } from '#/lib/errors.ts';
import { STALE } from '#/lib/stale.ts';
import { supabase } from '#/lib/supabase.ts';

export interface MyCheckIn {
  check_in_id: string;
  park_id: number;
  park_name: string;
  started_at: string;
  expires_at: string;
  dog_count: number;
}

/** @throws {AppError} */
export async function fetchMyCheckIn(): Promise<MyCheckIn | null> {
  const client = await supabase();
  const answer = unwrap(await client.rpc('my_check_in')) as unknown;
  const row = (Array.isArray(answer) ? answer[0] : answer) as MyCheckIn | null | undefined;
  return row?.check_in_id ? row : null;
}

export const myCheckInQueryOptions = () =>
  queryOptions({
    queryKey: parkKeys.myCheckIn,
    queryFn: fetchMyCheckIn,
    staleTime: STALE.minute,
    refetchOnWindowFocus: true,
  });

/** @param enabled false while nobody is logged in */
export function useMyCheckIn(enabled: boolean) {
  return useQuery({ ...myCheckInQueryOptions(), enabled });
}
