// The one place that listens to the database: joined when somebody logs in, dropped when they log out.
import type { RealtimeChannel } from '@supabase/supabase-js';
import { getSession, subscribeSession } from '#/lib/session.ts';
import { supabase } from '#/lib/supabase.ts';

/** What an UPDATE of `notifications` carries of the row. */
export interface ChangedNotification {
  id: string;
  is_ready: boolean;
  seen_at: string | null;
}

type Listener = (row: ChangedNotification) => void;

let channel: RealtimeChannel | null = null;
let joinedFor: string | null = null;

async function leave(): Promise<void> {
  const old = channel;
  channel = null;
  joinedFor = null;
  if (old) await (await supabase()).removeChannel(old);
}

/**
 * Follows the session: calls `listener` for each update of one of my notifications.
 * @returns stops listening
 */
export function listenToNotifications(listener: Listener): () => void {
  async function follow(): Promise<void> {
    const { status, userId } = getSession();
    const wanted = status === 'in' ? userId : null;
    if (wanted === joinedFor) return;
    await leave();
    if (!wanted) return;
    joinedFor = wanted;
    const client = await supabase();
    if (joinedFor !== wanted) return;
    channel = client
      .channel(`notifications:${wanted}`)
      .on(
        'postgres_changes',
        {
          event: 'UPDATE',
          schema: 'public',
          table: 'notifications',
          filter: `receiver_id=eq.${wanted}`,
        },
        (change) => listener(change.new as ChangedNotification),
      )
      .subscribe();
  }

  const run = () => {
    follow().catch((error: unknown) => console.warn('Live notifications are off:', error));
  };
  run();
  const unsubscribe = subscribeSession(run);
  return () => {
    unsubscribe();
    void leave();
  };
}
