// The photos of a dog's visits. They are not stored on the device, because access to them may end at any time.
import { queryOptions } from '@tanstack/react-query';
import { request } from '#/data/request.ts';

export const visitPhotosKey = (dogId: string) => ['visit-photos', dogId] as const;

export interface VisitPhoto {
  /** ID of the photo, which is also the name of its file in the bucket. */
  id: string;
  /** Null unless the author shows park and day. */
  park_id: number | null;
  park_name: string | null;
  visited_on: string | null;
  is_mine: boolean;
  shows_visit: boolean;
  is_kept: boolean;
}

export const visitPhotosQueryOptions = (dogId: string) =>
  queryOptions({
    queryKey: visitPhotosKey(dogId),
    queryFn: () =>
      request((client) =>
        client.rpc('visit_photos', { p_dog_id: dogId }).overrideTypes<VisitPhoto[]>(),
      ),
    gcTime: 0,
  });

/** Downloads the file, because a signed URL would work after access has ended. */
export const visitPhotoFileQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['visit-photos', 'file', id],
    queryFn: () => request((client) => client.storage.from('visit-photos').download(id)),
    gcTime: 0,
    retry: false,
  });
