// The one question of my visit: about an unknown fact of the park.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

export interface ParkQuestion {
  check_in_id: string;
  park_id: number;
  /** A key of shared/park-facts.ts with a list of values. */
  fact: string;
}

/** Null where there is none for this visit any more. @throws {AppError} */
async function fetchParkQuestion(): Promise<ParkQuestion | null> {
  const client = await supabase();
  return unwrapJson<ParkQuestion | null>(await client.rpc('park_question'));
}

const parkQuestionQueryOptions = (checkInId: string) =>
  queryOptions({
    queryKey: parkKeys.question(checkInId),
    queryFn: fetchParkQuestion,
    // Asked for once a visit, whatever becomes of it.
    staleTime: Infinity,
  });

/** @param checkInId undefined while I am nowhere */
export const useParkQuestion = (checkInId: string | undefined) =>
  useQuery({
    ...parkQuestionQueryOptions(checkInId ?? ''),
    enabled: checkInId !== undefined,
  });
