// Queries whether mails are delayed, refetched while the user waits for one.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchPublicRpc } from '#/data/public-requests.ts';
import { STALE } from '#/data/stale.ts';

const mailIsLateQueryOptions = () =>
  queryOptions({
    queryKey: ['mail-is-late'],
    queryFn: async () => (await fetchPublicRpc('mail_is_late', {})) === true,
    meta: { sameForAll: true },
    staleTime: STALE.live,
    refetchInterval: STALE.live,
    refetchOnWindowFocus: true,
  });

export const useMailIsLate = (): boolean => useQuery(mailIsLateQueryOptions()).data ?? false;
