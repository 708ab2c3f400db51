// Suggests what a park's record lacks; a moderator looks before it shows.
import { useMutation } from '@tanstack/react-query';
import * as v from 'valibot';
import { parkFactsInput, type ParkFactsInput } from '#/features/parks/park-input.ts';
import { unwrap } from '#/i18n/errors.ts';
import { retryUnanswered } from '#/data/retry-policy.ts';
import { supabase } from '#/data/supabase.ts';

interface SuggestDetails {
  parkId: number;
  facts: ParkFactsInput;
  key: string;
}

/** @throws {AppError} */
export async function suggestDetails({ parkId, facts, key }: SuggestDetails): Promise<void> {
  const input = v.parse(parkFactsInput, facts);
  const client = await supabase();
  unwrap(
    await client.rpc('suggest_park_details', {
      p_park_id: parkId,
      p_size: input.size,
      p_materials: input.materials,
      p_shade: input.shade,
      p_has_facilities: input.has_facilities,
      p_key: key,
    }),
  );
}

export function useSuggestDetails() {
  return useMutation({ mutationFn: suggestDetails, retry: retryUnanswered });
}
