// Logs another device of mine out.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sessionsQueryOptions } from '#/features/account/queries/sessions.ts';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId: string) => {
      const client = await supabase();
      unwrap(await client.rpc('end_my_session', { p_session_id: sessionId }));
    },
    onSettled: () => queryClient.invalidateQueries(sessionsQueryOptions()),
  });
}
