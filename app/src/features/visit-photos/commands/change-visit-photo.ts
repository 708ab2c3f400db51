// Changes what friends see of the visit and how long the photo is stored, or removes it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '#/data/request.ts';
import { type VisitPhoto, visitPhotosKey } from '#/features/visit-photos/queries/visit-photos.ts';
import { showError } from '#/ui/toast.ts';

type Change = Pick<VisitPhoto, 'id' | 'shows_visit' | 'is_kept'> | { id: string; remove: true };

export function useChangeVisitPhoto(dogId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) =>
      request((client) =>
        'remove' in change
          ? client.rpc('remove_visit_photo', { p_photo_id: change.id })
          : client.rpc('set_visit_photo', {
              p_photo_id: change.id,
              p_shows_visit: change.shows_visit,
              p_is_kept: change.is_kept,
            }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: visitPhotosKey(dogId) }),
    onError: showError,
  });
}
