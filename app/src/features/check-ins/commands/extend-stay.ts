// Stays longer at the park one is at.
import {
  mutationOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { parkKeys } from '#/data/park-keys.ts';
import { retryUnanswered } from '#/data/retry-policy.ts';
import { supabase } from '#/data/supabase.ts';
import { presenceKeys } from '#/features/check-ins/presence-keys.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import { invalidateAll } from '#/data/invalidate-all.ts';

interface ExtendStay {
  minutes: number;
  /** One per extension: a retry adds nothing. */
  key: string;
}

type Extended = Pick<MyCheckIn, 'check_in_id' | 'expires_at'>;

/** The part of a park's cached status that this changes. */
interface CachedStatus {
  my_check_in: Extended | null;
}

/** @throws {AppError} `not_checked_in` when the stay is over already */
async function extendStay({ minutes, key }: ExtendStay): Promise<Extended> {
  const client = await supabase();
  return unwrapJson<Extended>(await client.rpc('extend_stay', { p_minutes: minutes, p_key: key }));
}

/** A lost answer is asked for again by the same key. @param parkId where the person is */
export const extendStayMutation = (queryClient: QueryClient, parkId: number) =>
  mutationOptions({
    mutationFn: (stay: ExtendStay) => retryUnanswered(() => extendStay(stay)),
    async onSuccess({ check_in_id, expires_at }) {
      const status = parkKeys.status(parkId);
      // A poll that is under way would show the earlier end again.
      await queryClient.cancelQueries({ queryKey: parkKeys.myCheckIn });
      await queryClient.cancelQueries({ queryKey: status });
      const later = <Stay extends Extended>(stay: Stay): Stay =>
        stay.check_in_id === check_in_id ? { ...stay, expires_at } : stay;
      queryClient.setQueryData<MyCheckIn | null>(parkKeys.myCheckIn, (stay) => stay && later(stay));
      queryClient.setQueryData<CachedStatus>(
        status,
        (known) =>
          known && { ...known, my_check_in: known.my_check_in && later(known.my_check_in) },
      );
    },
    onError: () => invalidateAll(queryClient, presenceKeys(parkId)),
  });

export const useExtendStay = (parkId: number) =>
  useMutation(extendStayMutation(useQueryClient(), parkId));
