// The one question of my visit: about an unknown fact of the park.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { askJson } from '#/data/ask.ts';

interface ParkQuestion {
  check_in_id: string;
  park_id: number;
  /** A key of shared/park-facts.ts with a list of values. */
  fact: string;
}

/** Null where there is none for this visit any more. @throws {AppError} */
const parkQuestionQueryOptions = (checkInId: string) =>
  queryOptions({
    queryKey: parkKeys.question(checkInId),
    queryFn: (): Promise<ParkQuestion | null> =>
      askJson<ParkQuestion | null>((client) => client.rpc('park_question')),
    // Asked for once a visit, whatever becomes of it.
    staleTime: Infinity,
  });

/** @param checkInId undefined while I am nowhere */
export const useParkQuestion = (checkInId: string | undefined) =>
  useQuery({ ...parkQuestionQueryOptions(checkInId ?? ''), enabled: checkInId !== undefined });
