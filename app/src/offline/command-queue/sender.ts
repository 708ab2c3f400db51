// Makes the sender of a command: its requests go out as the command's owner only.
import { supabase } from '#/data/supabase.ts';
import { AppError } from '#/core/app-error.ts';
import { unwrap } from '#/i18n/errors.ts';
import type { AnyCommand, Sender, Sending } from '#/offline/command-queue/define-command.ts';

/** `userId`: whose command it is. Throws AppError 401 while logged out or logged in as another person, 503 without a network. */
export async function senderFor(
  userId: string | null,
  { codes }: Pick<AnyCommand, 'codes'>,
  { key, isQueued = false, file, onProgress }: Sending,
): Promise<Sender> {
  const client = await supabase();
  const { session } = (await client.auth.getSession()).data;
  // Without a session the request would go out as a visitor's, and be rejected.
  if (!userId || session?.user.id !== userId) throw new AppError('errors.session_expired', 401);
  return {
    key,
    isQueued,
    onProgress,
    client,
    userId,
    async ask<Data>(request: Parameters<Sender['ask']>[0]) {
      // The client would read the session again, and another tab may have logged another person in by then.
      request.setHeader('authorization', `Bearer ${session.access_token}`);
      return unwrap(await request, codes) as Data;
    },
    file() {
      if (!file) throw new AppError('queuedCommands.photoLost');
      return file;
    },
  };
}
