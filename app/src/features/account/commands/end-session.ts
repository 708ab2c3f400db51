// Logs out another device of the user.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sessionsQueryOptions } from '#/features/account/queries/sessions.ts';
import { request } from '#/data/request.ts';

export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) =>
      request((client) => client.rpc('end_my_session', { p_session_id: sessionId })),
    onSettled: () => queryClient.invalidateQueries(sessionsQueryOptions()),
  });
}
