// The queue of what was done without a network: kept in IndexedDB, sent in order, once, by one tab at a time.
import { createStore, del, get, set, update } from 'idb-keyval';
import { translate } from '#/i18n/i18n.ts';
import { AppError } from '#/i18n/errors.ts';
import {
  ELSEWHERE,
  added,
  nextToSend,
  overWhatever,
  withoutDone,
} from '#/offline/command-queue/rules.ts';
import { type Outcome, sendEntry } from '#/offline/command-queue/send.ts';
import { type NewDeed, type OutboxEntry, showOutbox } from '#/offline/command-queue/state.ts';
import { queryClient } from '#/data/query-client.ts';
import { getSession, subscribeSession } from '#/data/session/session.ts';
import { onResume } from '#/platform/lifecycle.ts';
import { showToast } from '#/ui/toast.ts';

const KEY = 'entries';
const store = createStore('packpark-outbox', 'entries');
/** Photos, by the id of their entry: apart, so that the list stays light. */
const bytesStore = createStore('packpark-outbox-bytes', 'bytes');
const channel = new BroadcastChannel('packpark-outbox');

/** After so many answers that are the server's own fault, a deed no longer holds up those behind it. */
const MOST_FAULTS = 5;
const faults = new Map<string, number>();

/** When to try again while the device believes that it has a network. */
const PAUSES_MS = [1000, 3000, 10_000, 30_000, 60_000];
let tried = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

interface Bytes {
  buffer: ArrayBuffer;
  type: string;
}

const readAll = async (): Promise<OutboxEntry[]> => (await get<OutboxEntry[]>(KEY, store)) ?? [];
const isMine = (entry: OutboxEntry) => entry.userId === getSession().userId;

async function change(next: (entries: OutboxEntry[]) => OutboxEntry[]): Promise<void> {
  await update<OutboxEntry[]>(KEY, (entries) => next(entries ?? []), store);
  channel.postMessage('changed');
  await readOutbox();
}

/** Shows what waits. What another person left on this device is neither shown nor sent. */
export async function readOutbox(): Promise<void> {
  const all = await readAll();
  // The session of after the reading: both lines see the same one.
  showOutbox(all.filter(isMine), getSession().userId);
}

/**
 * Keeps a deed for later, and tries it soon.
 * @param userId whose it is; who is logged in by now may be somebody else
 * @throws {AppError} 507 when this device has no room for it; then nothing is kept
 */
export async function enqueue(
  { bytes, ...deed }: NewDeed,
  userId = getSession().userId,
): Promise<void> {
  if (!userId) throw new AppError('errors.sessionExpired', 401);
  try {
    if (bytes) {
      const kept: Bytes = { buffer: await bytes.arrayBuffer(), type: bytes.type };
      await set(deed.id, kept, bytesStore);
    }
    await change((entries) =>
      added(entries, { ...deed, userId, queuedAt: Date.now(), refused: null }),
    );
  } catch (error) {
    if (bytes) await del(deed.id, bytesStore).catch(() => undefined);
    throw new AppError('outbox.noRoom', 507, { cause: error });
  }
  void stay();
  showToast(translate('outbox.queued'));
  tried = 0;
  void drain().catch(warn);
}

/** Asks the browser not to clear this device's storage while something waits in it. */
async function stay(): Promise<void> {
  try {
    // Not on insecure addresses, and not in every browser.
    const storage = navigator.storage as StorageManager | undefined;
    if (!(await storage?.persisted())) await storage?.persist();
  } catch (error) {
    console.warn('What waits may be cleared by the browser:', error);
  }
}

export async function discard(id: string): Promise<void> {
  await remove(id, (entries) => entries.filter((entry) => entry.id !== id));
}

async function remove(id: string, next: (entries: OutboxEntry[]) => OutboxEntry[]): Promise<void> {
  await change(next);
  await del(id, bytesStore);
}

/** Deletes everything that waits for a person, photos too: they logged out, and said that it may go. */
export async function clearOutbox(userId: string): Promise<void> {
  const all = await readAll();
  await change((entries) => entries.filter((entry) => entry.userId !== userId));
  await Promise.all(
    all.filter((entry) => entry.userId === userId).map(({ id }) => del(id, bytesStore)),
  );
}

/** How many deeds of the current person are not done yet. */
export const countWaiting = async (): Promise<number> => (await readAll()).filter(isMine).length;

/** Tries a refused entry again. */
export const retry = (id: string): Promise<void> => again(id, (entry) => entry);

async function again(id: string, changed: (entry: OutboxEntry) => OutboxEntry): Promise<void> {
  await change((entries) =>
    entries.map((entry) => (entry.id === id ? { ...changed(entry), refused: null } : entry)),
  );
  await drain();
}

/** Checks in although the person is checked in at another park, which they leave. */
export const switchParks = (id: string): Promise<void> =>
  again(id, (entry) => ({ ...entry, args: { ...entry.args, p_switch: true } }));

/** Saves a review although there is a newer one, which it replaces. */
export const replaceNewer = (id: string): Promise<void> => again(id, overWhatever);

/** Sends what waits, in order, until all is sent or the network fails again. Two tabs never send at once. */
export async function drain(): Promise<void> {
  clearTimeout(timer);
  if (!navigator.onLine || getSession().status !== 'in') return;
  await withLock(async () => {
    let sent = false;
    for (;;) {
      const next = nextToSend((await readAll()).filter(isMine));
      if (!next) break;
      const answer = await sendEntry(next, await bytesOf(next.id));
      const outcome = answer === 'fault' ? afterFault(next.id) : answer;
      if (outcome === 'later') {
        tryLater();
        break;
      }
      sent = true;
      tried = 0;
      if (outcome === 'done') {
        await remove(next.id, (entries) => withoutDone(entries, next));
        continue;
      }
      await change((entries) =>
        entries.map((entry) => (entry.id === next.id ? { ...entry, refused: outcome } : entry)),
      );
      showToast(translate(outcome === ELSEWHERE ? ELSEWHERE : 'outbox.refusedToast'), {
        kind: 'error',
      });
    }
    if (sent) await queryClient.invalidateQueries();
  });
}

/** A server may stumble once; what it always stumbles over is refused, and the person may try it again. */
function afterFault(id: string): Exclude<Outcome, 'fault'> {
  const count = (faults.get(id) ?? 0) + 1;
  faults.set(id, count % MOST_FAULTS);
  return count < MOST_FAULTS ? 'later' : 'errors.dogAteTheCode';
}

async function bytesOf(id: string): Promise<Blob | undefined> {
  const kept = await get<Bytes>(id, bytesStore);
  return kept && new Blob([kept.buffer], { type: kept.type });
}

/** The device says that it is online, and nothing answers: no event will tell when that changes. */
function tryLater(): void {
  const pause = PAUSES_MS[Math.min(tried, PAUSES_MS.length - 1)];
  tried++;
  timer = setTimeout(() => void drain().catch(warn), pause);
}

/** Locks are missing on insecure addresses: the server's keys then still do each thing once. */
async function withLock(task: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request('packpark-outbox', task);
  else await task();
}

const warn = (error: unknown) => console.warn('The queue cannot be read:', error);

/** Call once: shows what waits, and sends it whenever there is a network and somebody is logged in. */
export function startOutbox(): void {
  const wake = () => {
    tried = 0;
    void readOutbox().then(drain).catch(warn);
  };
  let before = '';
  subscribeSession(() => {
    const { status, userId, lastEvent } = getSession();
    const now = `${status} ${String(userId)} ${String(lastEvent === 'TOKEN_REFRESHED')}`;
    if (now !== before) wake();
    before = now;
  });
  addEventListener('online', wake);
  onResume(wake);
  channel.addEventListener('message', () => void readOutbox().catch(warn));
  wake();
}
