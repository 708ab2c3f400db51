// Creates the sender of a command: its requests are sent only as the command's owner.
import { supabase } from '#/data/supabase.ts';
import { AppError } from '#/core/app-error.ts';
import { unwrap } from '#/i18n/errors.ts';
import type { Sender, Sending } from '#/offline/command-queue/define-command.ts';

/** @throws {AppError} 401 while another user or nobody is logged in, 503 when offline */
export async function senderFor(
  userId: string | null,
  { key, isQueued = false, file, onProgress }: Sending,
): Promise<Sender> {
  const client = await supabase();
  const { session } = (await client.auth.getSession()).data;
  // Without a session the request would be sent as a visitor's and be rejected.
  if (!userId || session?.user.id !== userId) throw new AppError('errors.session_expired', 401);
  return {
    key,
    isQueued,
    onProgress,
    client,
    userId,
    async request<Data>(...[request, codes]: Parameters<Sender['request']>) {
      // Set the token here. The client would read the session again, and another tab may have logged in another user by then.
      request.setHeader('authorization', `Bearer ${session.access_token}`);
      return unwrap(await request, codes) as Data;
    },
    file() {
      if (!file) throw new AppError('queuedCommands.photoLost');
      return file;
    },
  };
}
