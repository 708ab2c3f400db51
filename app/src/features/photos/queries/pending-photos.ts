// Signed URLs of the user's pending photos, which are private. A URL expires within an hour.
import { useQuery } from '@tanstack/react-query';
import { request } from '#/data/request.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';

const VALID_SECONDS = 3600;

/** Omits photos that do not exist. */
export const usePendingPhotos = (parkId: number, paths: string[]) =>
  useQuery({
    queryKey: parkKeys.pendingPhotos(parkId, paths),
    queryFn: () =>
      request((client) =>
        client.storage.from('pending-photos').createSignedUrls(paths, VALID_SECONDS),
      ).then((photos) => photos.flatMap(({ signedUrl }) => signedUrl || [])),
    staleTime: (VALID_SECONDS / 2) * 1000,
    enabled: paths.length > 0,
  });
