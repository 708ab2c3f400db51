// The only subscription to changes of the database: joined at login, left at logout.
import type { RealtimeChannel } from '@supabase/supabase-js';
import { getSession, subscribeSession } from '#/data/session/session.ts';
import { loadClient, supabase } from '#/data/supabase.ts';
import { onReconnect } from '#/platform/online.ts';
import type { Tables } from '../../../shared/database.types.ts';

/** What an UPDATE of `notifications` carries of the row. */
type ChangedNotification = Pick<Tables<'notifications'>, 'id' | 'is_ready' | 'seen_at'>;

/** The table of mine in which something changed, by another device or this one. */
export type OwnChangeRow = Pick<Tables<'own_changes'>, 'changed' | 'changed_at'>;

interface Listeners {
  onNotification: (row: ChangedNotification) => void;
  onOwnChange: (row: OwnChangeRow) => void;
  /** The channel stands, for the first time or again: what came before it has to be asked for. */
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

/** Follows the session: tells what happens to my notifications and my own things. @returns stops listening */
export function listenToMine({ onNotification, onOwnChange, onJoined }: Listeners): () => void {
  async function follow(): Promise<void> {
    const { status, userId } = getSession();
    const wanted = status === 'in' ? userId : null;
    if (wanted === joinedFor) return;
    await leave();
    if (!wanted) return;
    joinedFor = wanted;
    const client = await supabase();
    // The channel is joined with the person's token at once, not as a visitor who identifies later.
    await client.realtime.setAuth();
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
        (change) => onNotification(change.new as ChangedNotification),
      )
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'own_changes', filter: `user_id=eq.${wanted}` },
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
