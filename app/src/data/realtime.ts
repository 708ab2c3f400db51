// The only subscription to changes in the database: joined at login, left at logout.
import type { RealtimeChannel } from '@supabase/supabase-js';
import { getSession, subscribeSession } from '#/data/session/session.ts';
import { loadClient, supabase } from '#/data/supabase.ts';
import { onReconnect } from '#/platform/online.ts';
import type { Tables } from '../../../shared/database.types.ts';

/** The columns of `notifications` that an UPDATE event contains. */
type ChangedNotification = Pick<Tables<'notifications'>, 'id' | 'is_ready' | 'seen_at'>;

/** A table in which the user's data has changed, on this device or another one. */
export type OwnChangeRow = Pick<Tables<'own_changes'>, 'changed' | 'changed_at'>;

interface Listeners {
  onNotification: (row: ChangedNotification) => void;
  onOwnChange: (row: OwnChangeRow) => void;
  /** Called each time the channel is joined, because earlier changes must be fetched. */
  onJoined: () => void;
}

let channel: RealtimeChannel | null = null;
let joinedFor: string | null = null;

async function leave(): Promise<void> {
  const old = channel;
  channel = null;
  joinedFor = null;
  if (old) await (await loadClient()).removeChannel(old);
}

/** Follows the session and reports changes in the user's notifications and other data. @returns a function that stops listening */
export function subscribeToOwnChanges({
  onNotification,
  onOwnChange,
  onJoined,
}: Listeners): () => void {
  async function follow(): Promise<void> {
    const { status, userId } = getSession();
    const target = status === 'in' ? userId : null;
    if (target === joinedFor) return;
    await leave();
    if (!target) return;
    joinedFor = target;
    const client = await supabase();
    // Joins the channel with the user's token from the start.
    await client.realtime.setAuth();
    if (joinedFor !== target) return;
    channel = client
      .channel(`notifications:${target}`)
      .on(
        'postgres_changes',
        {
          event: 'UPDATE',
          schema: 'public',
          table: 'notifications',
          filter: `receiver_id=eq.${target}`,
        },
        (change) => onNotification(change.new as ChangedNotification),
      )
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'own_changes', filter: `user_id=eq.${target}` },
        (change) => onOwnChange(change.new as OwnChangeRow),
      )
      .subscribe((joined) => {
        if (joined === 'SUBSCRIBED') onJoined();
      });
  }

  const run = () => {
    follow().catch((error: unknown) => {
      joinedFor = null;
      console.warn('Live notifications are off:', error);
    });
  };
  run();
  const unsubscribe = subscribeSession(run);
  const stopListening = onReconnect(run);
  return () => {
    unsubscribe();
    stopListening();
    void leave();
  };
}
