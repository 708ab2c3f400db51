// The question about an unknown fact of the park, which is shown once during a visit.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { requestJson } from '#/data/request.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';

interface ParkQuestion {
  check_in_id: string;
  park_id: number;
  /** A key of shared/park-facts.ts that has a list of values. */
  fact: string;
}

/** The question of a visit; null if there is none or it has been answered. @throws {AppError} */
const parkQuestionQueryOptions = (checkInId: string) =>
  queryOptions({
    queryKey: parkKeys.question(checkInId),
    queryFn: (): Promise<ParkQuestion | null> =>
      requestJson<ParkQuestion | null>((client) => client.rpc('park_question')),
    // Fetch only once per visit.
    staleTime: Infinity,
  });

/** @param checkInId undefined if the user is not checked in */
export function useParkQuestion(checkInId: string | undefined): ParkQuestion | null | undefined {
  const query = parkQuestionQueryOptions(checkInId ?? '');
  const { data } = useQuery({ ...query, enabled: checkInId !== undefined });
  return useWithUnsent(query.queryKey, data).data;
}
