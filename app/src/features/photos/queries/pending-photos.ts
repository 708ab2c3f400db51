// Addresses of one's own pending photos: the files are private, so each address is signed and ends within the hour.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { parkKeys } from '#/data/park-keys.ts';
import { supabase } from '#/data/supabase.ts';
import { toAppError } from '#/i18n/errors.ts';

const VALID_SECONDS = 3600;

/** The addresses of those photos that are still there. @throws {AppError} */
async function signPendingPhotos(paths: readonly string[]): Promise<string[]> {
  const client = await supabase();
  const { data, error } = await client.storage
    .from('pending-photos')
    .createSignedUrls([...paths], VALID_SECONDS);
  if (error) throw toAppError(error);
  return data.flatMap((photo) => (photo.signedUrl ? [photo.signedUrl] : []));
}

const pendingPhotosQueryOptions = (parkId: number, paths: readonly string[]) =>
  queryOptions({
    queryKey: parkKeys.pendingPhotos(parkId, paths),
    queryFn: () => signPendingPhotos(paths),
    staleTime: (VALID_SECONDS / 2) * 1000,
    enabled: paths.length > 0,
  });

export const usePendingPhotos = (parkId: number, paths: readonly string[]) =>
  useQuery(pendingPhotosQueryOptions(parkId, paths));
