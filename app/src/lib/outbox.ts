// The queue of what was done without a network: kept in IndexedDB, sent in order, once, by one tab at a time.
import { createStore, get, update } from 'idb-keyval';
import { type MessageKey, translate } from '#/i18n/i18n.ts';
import { isNetworkFailure, toAppError } from '#/lib/errors.ts';
import { type OutboxEntry, showOutbox } from '#/lib/outbox-state.ts';
import { queryClient } from '#/lib/query-client.ts';
import { getSession, subscribeSession } from '#/lib/session.ts';
import { supabase } from '#/lib/supabase.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { showToast } from '#/ui/toast.ts';

const KEY = 'entries';
const store = createStore('packpark-outbox', 'entries');
const channel = new BroadcastChannel('packpark-outbox');

const readAll = async (): Promise<OutboxEntry[]> => (await get<OutboxEntry[]>(KEY, store)) ?? [];

async function change(next: (entries: OutboxEntry[]) => OutboxEntry[]): Promise<void> {
  await update<OutboxEntry[]>(KEY, (entries) => next(entries ?? []), store);
  channel.postMessage('changed');
  await show();
}

/** What another person left on this device is neither shown nor sent. */
async function show(): Promise<void> {
  const { userId } = getSession();
  showOutbox((await readAll()).filter((entry) => entry.userId === userId));
}

/** @throws when nobody is logged in, or the device cannot store it */
export async function enqueue(entry: Pick<OutboxEntry, 'id' | 'rpc' | 'args'>): Promise<void> {
  const { userId } = getSession();
  if (!userId) throw new Error('Nobody is logged in');
  await change((entries) =>
    // A second tap with the same key is the same deed.
    entries.some(({ id }) => id === entry.id)
      ? entries
      : [...entries, { ...entry, userId, queuedAt: Date.now(), refused: null }],
  );
  showToast(translate('outbox.queued'));
}

export const discard = (id: string): Promise<void> =>
  change((entries) => entries.filter((entry) => entry.id !== id));

/** Tries a refused entry again. */
export async function retry(id: string): Promise<void> {
  await change((entries) =>
    entries.map((entry) => (entry.id === id ? { ...entry, refused: null } : entry)),
  );
  await drain();
}

/** Sends what waits, in order, until all is sent or the network fails again. Two tabs never send at once. */
export async function drain(): Promise<void> {
  if (!navigator.onLine || getSession().status !== 'in') return;
  await withLock(async () => {
    let sent = false;
    for (;;) {
      const { userId } = getSession();
      const next = (await readAll()).find((entry) => entry.userId === userId && !entry.refused);
      if (!next) break;
      const outcome = await send(next);
      if (outcome === 'later') break;
      sent = true;
      if (outcome === 'done') {
        await discard(next.id);
        continue;
      }
      await change((entries) =>
        entries.map((entry) => (entry.id === next.id ? { ...entry, refused: outcome } : entry)),
      );
      showToast(translate('outbox.refusedToast'), { kind: 'error' });
    }
    if (sent) await queryClient.invalidateQueries();
  });
}

/** 'done', 'later' (no network, or no valid session yet), or the key of the server's reason. */
async function send({ rpc, args }: OutboxEntry): Promise<'done' | 'later' | MessageKey> {
  try {
    const client = await supabase();
    const { data, error, status } = await client.rpc(rpc, args as never);
    // Where one is at two parks, the person decides, not the queue.
    if (!error)
      return (data as { status?: string } | null)?.status === 'elsewhere'
        ? 'outbox.elsewhere'
        : 'done';
    const failure = { ...error, status };
    if (isNetworkFailure(failure) || status >= 500 || status === 401) return 'later';
    return toAppError(failure).key;
  } catch (error) {
    console.warn('The queue is sent later:', error);
    return 'later';
  }
}

/** Locks are missing on insecure addresses: the server's keys then still do each thing once. */
async function withLock(task: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request('packpark-outbox', task);
  else await task();
}

/** Call once: shows what waits, and sends it whenever there is a network and somebody is logged in. */
export function startOutbox(): void {
  const wake = () => {
    void show()
      .then(drain)
      .catch((error: unknown) => console.warn('The queue cannot be read:', error));
  };
  let before = '';
  subscribeSession(() => {
    const { status, userId } = getSession();
    const now = `${status} ${String(userId)}`;
    if (now !== before) wake();
    before = now;
  });
  addEventListener('online', wake);
  onResume(wake);
  channel.addEventListener('message', () => void show());
  wake();
}
