// Reports a condition of a park, confirms one, or says that it is over.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { CONDITIONS } from '#/data/conditions.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { sendOrQueue } from '#/offline/command-queue/send-or-queue.ts';
import { supabase } from '#/data/supabase.ts';

export const liveReportInput = v.variant('kind', [
  v.object({ kind: v.literal('report'), condition: v.picklist(CONDITIONS), key: v.string() }),
  v.object({ kind: v.literal('confirm'), reportId: v.string(), key: v.string() }),
  v.object({ kind: v.literal('end'), reportId: v.string(), key: v.string() }),
]);

export type LiveReportInput = v.InferOutput<typeof liveReportInput>;

/** 'queued' without a network. @throws {AppError} */
export async function sendLiveReport(
  parkId: number,
  values: LiveReportInput,
): Promise<'sent' | 'queued'> {
  const input = v.parse(liveReportInput, values);
  if (input.kind === 'report') {
    const args = { p_park_id: parkId, p_condition: input.condition, p_key: input.key };
    return sendOrQueue({ id: input.key, deed: 'report_condition', args }, async () => {
      const client = await supabase();
      unwrap(await client.rpc('report_condition', args));
      return 'sent' as const;
    });
  }
  const deed = input.kind === 'confirm' ? 'confirm_condition' : 'end_condition';
  const args = { p_report_id: input.reportId, p_key: input.key };
  return sendOrQueue({ id: input.key, deed, args }, async () => {
    const client = await supabase();
    unwrap(await client.rpc(deed, args));
    return 'sent' as const;
  });
}

export function useLiveReport(parkId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: LiveReportInput) => sendLiveReport(parkId, input),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: parkKeys.status(parkId) }),
        queryClient.invalidateQueries({ queryKey: parkKeys.live }),
      ]),
  });
}
