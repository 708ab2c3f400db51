// Owners report a dog as lost, still lost or found, and replace the URL of its tag. Finders send a message from the tag's page.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LatLong } from '#/core/distance.ts';
import { newUuid } from '#/core/uuid.ts';
import { withAge } from '#/data/session/age-prompt.ts';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { fetchPhoto } from '#/entities/photos/fetch-photo.ts';
import { request } from '#/data/request.ts';
import type { ReportReason } from '../../../../../shared/enums.ts';

/** Copies the dog's photo for its card. A failure is ignored, because the card is useful without a photo. */
async function copyPhoto(lostId: string, photo: string): Promise<void> {
  try {
    const blob = await fetchPhoto(photo);
    const path = `${lostId}/photo-${newUuid()}.${blob.type.replace('image/', '')}`;
    const { uploadImage } = await import('#/entities/photos/upload-image.ts');
    await uploadImage({ bucket: 'lost-dogs', path, blob });
  } catch (error) {
    console.warn('The photo of the card could not be copied:', error);
  }
}

interface Lost {
  /** The place; null to leave it unchanged. */
  place: LatLong | null;
  /** Path of the dog's photo in the users bucket. */
  photo: string | null;
}

export function useLostDog(dogId: string) {
  const queryClient = useQueryClient();
  const onSettled = () =>
    invalidateInAllTabs(queryClient, [userKeys.lostDog(dogId), userKeys.lostDogs]);
  const report = useMutation({
    mutationFn: ({ place, photo }: Lost) =>
      withAge(async () => {
        const where = place && { p_lat: place.lat, p_long: place.long };
        const id = await request((client) =>
          client.rpc('report_lost_dog', { p_dog_id: dogId, ...where }),
        );
        if (place && photo) await copyPhoto(id, photo);
      }),
    onSettled,
  });
  const found = useMutation({
    mutationFn: () => request((client) => client.rpc('found_dog', { p_dog_id: dogId })),
    onSettled,
  });
  return { report, found };
}

export const useDogTag = (dogId: string) =>
  useMutation({
    mutationFn: (renew: boolean) =>
      request((client) => client.rpc('dog_tag', { p_dog_id: dogId, p_replace: renew })),
  });

export const useReportCard = () =>
  useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: ReportReason }) =>
      request((client) => client.rpc('report_lost_card', { p_lost_id: id, p_reason: reason })),
  });

interface FromTag {
  note: string;
  phone: string;
  place: LatLong | null;
  /** A random UUID with which this browser can read the answer. */
  secret: string;
}

/** The mutation resolves to false if the dog is not lost or the tag does not exist. */
export const useSendFromTag = (code: string) =>
  useMutation({
    mutationFn: ({ note, phone, place, secret }: FromTag) =>
      request(
        (client) =>
          client.rpc('send_from_tag', {
            p_code: code,
            p_note: note,
            p_phone: phone,
            p_secret: secret,
            ...(place && { p_lat: place.lat, p_long: place.long }),
          }),
        { invalid_phone: 'lostDogs.phoneWrong' },
      ),
  });

export function useAnswerFinder(dogId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answer: { sightingId: string; text: string }) =>
      request(
        (client) =>
          client.rpc('answer_finder', {
            p_sighting_id: answer.sightingId,
            p_answer: answer.text,
          }),
        { already_answered: 'lostDogs.answeredAlready' },
      ),
    onSettled: () => invalidateInAllTabs(queryClient, [userKeys.lostDog(dogId)]),
  });
}
