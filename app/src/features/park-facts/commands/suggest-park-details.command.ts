// Suggests additions and corrections to a park, which a moderator approves before they are shown.
import * as v from 'valibot';
import { correctionInput } from '#/features/park-facts/correction.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { supabase } from '#/data/supabase.ts';
import { defineCommand } from '#/offline/command-queue/define-command.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

const suggestInput = v.object({ parkId: v.number(), correction: correctionInput });

export const command = defineCommand<v.InferOutput<typeof suggestInput>, string>({
  name: 'suggest_park_details',
  input: suggestInput,
  send: ({ parkId, correction }, { client, key, request }) =>
    request(
      client.rpc('suggest_park_details', {
        p_park_id: parkId,
        p_size: correction.size ?? null,
        p_materials: correction.materials ?? null,
        p_shade: correction.shade ?? null,
        p_has_facilities: correction.has_facilities ?? null,
        p_facts: correction.known ?? null,
        p_translations: correction.translations ?? null,
        p_lat: correction.place?.lat ?? null,
        p_long: correction.place?.long ?? null,
        p_claim: correction.claim ?? null,
        p_duplicate_of: correction.duplicateOf ?? null,
        p_key: key,
      }),
      { too_many: 'parks.suggest.tooMany' },
    ),
  invalidates: ({ parkId }) => [parkKeys.park(parkId)],
});

export const useSuggestParkDetails = () => useCommand(command);

/** Returns true if a suggestion is already approved, as suggestions by the municipality are. @param suggestion its ID */
export async function isDecided(suggestion: string): Promise<boolean> {
  const client = await supabase();
  const { data } = await client
    .from('park_suggestions')
    .select('status')
    .eq('id', suggestion)
    .maybeSingle();
  return data?.status === 'approved';
}
