// Creates and withdraws the user's friend code, and uses the code of another user.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MINUTE_MS } from '../../../../../shared/durations.ts';
import { withAge } from '#/data/session/age-prompt.ts';
import { request } from '#/data/request.ts';
import type { Friendship } from '#/entities/friendships/friendship.ts';
import { fetchPhoto } from '#/entities/photos/fetch-photo.ts';
import { CODE_MINUTES, MAX_PHOTO_LETTERS } from '#/features/friend-codes/friend-code-limits.ts';
import { userKeys } from '#/entities/users/user-keys.ts';
import { useIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';
import { siteUrl } from '#/platform/site-url.ts';

export interface MeetDog {
  id: string;
  name: string;
  /** Path of the photo in the users bucket. */
  photo: string | null;
}

/**
 * Returns a copy of the dog's photo as a data URL. Null if the photo is missing or copying fails, because the code is useful without a
 * photo.
 */
async function copyOf(photo: string | null): Promise<string | null> {
  if (photo === null) return null;
  try {
    const blob = await fetchPhoto(photo);
    const copy = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result as string);
      reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
      reader.readAsDataURL(blob);
    });
    return copy.length > MAX_PHOTO_LETTERS ? null : copy;
  } catch (error) {
    console.warn('The photo of the friend code could not be copied:', error);
    return null;
  }
}

/** The mutation resolves to the code's URL, which cannot be read again, and its expiry. */
export const useMakeFriendCode = ({ id, photo }: MeetDog) =>
  useMutation({
    mutationFn: () =>
      withAge(async () => {
        const copy = await copyOf(photo);
        const secret = await request((client) =>
          client.rpc('make_friend_code', { p_dog_id: id, ...(copy && { p_photo: copy }) }),
        );
        return { url: siteUrl(`/meet/${secret}`), until: Date.now() + CODE_MINUTES * MINUTE_MS };
      }),
    gcTime: 0,
  });

export const useEndFriendCodes = () =>
  useMutation({ mutationFn: () => request((client) => client.rpc('end_friend_codes')) });

/** Reserves a code for this device until the next day. Failures are ignored, because the code works for ten minutes anyway. */
export const keepFriendCode = (secret: string, device: string): void =>
  void request((client) =>
    client.rpc('scan_friend_code', { p_secret: secret, p_device: device, p_keep: true }),
  ).catch(() => undefined);

/** The mutation resolves to null if the code has become invalid. */
export function useUseFriendCode(secret: string, device: string) {
  const queryClient = useQueryClient();
  const keys = useIdempotencyKey();
  return useMutation({
    mutationFn: () =>
      withAge(() =>
        request((client) =>
          client.rpc('use_friend_code', {
            p_secret: secret,
            p_device: device,
            p_key: keys.of(secret),
          }),
        ),
      ) as Promise<Friendship | null>,
    onSettled: () => queryClient.invalidateQueries({ queryKey: userKeys.friends }),
  });
}
