// The queue of commands that wait for a network: stored on this device, sent in order, once, by one tab at a time.
import type { QueryKey } from '@tanstack/react-query';
import { confirmAge } from '#/data/session/age-question.ts';
import { queryClient } from '#/data/query-client.ts';
import { MOST_FAULTS, pauseMs } from '#/data/retry-policy.ts';
import { getSession, subscribeSession } from '#/data/session/session.ts';
import { MINUTE_MS } from '#/core/durations.ts';
import { AppError } from '#/core/app-error.ts';
import { translate } from '#/i18n/i18n.ts';
import type { Command, Sending } from '#/offline/command-queue/define-command.ts';
import {
  countSent,
  type QueuedCommand,
  showQueuedCommands,
} from '#/offline/command-queue/queued-commands.ts';
import { added, nextToSend, withoutDone } from '#/offline/command-queue/queue-rules.ts';
import { loadCommand } from '#/offline/command-queue/registry.ts';
import { type Outcome, sendQueued } from '#/offline/command-queue/send-queued.ts';
import { renewEverywhere } from '#/data/own-tabs.ts';
import { openStore } from '#/offline/device-store.ts';
import { onHide, onResume } from '#/platform/lifecycle.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { isOnline, onReconnect } from '#/platform/online.ts';
import { showError, showProblem, showToast } from '#/ui/toast.ts';

const NAME = 'packpark-commands';
const KEY = 'commands';
const store = openStore<QueuedCommand[]>(NAME, 'entries');
/** Photos, by the id of their command: apart, so that the list stays light. */
const files = openStore<StoredFile>(`${NAME}-bytes`, 'bytes');
const channel = new BroadcastChannel(NAME);

const faults = new Map<string, number>();
let tried = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let heldTimer: ReturnType<typeof setTimeout> | undefined;

/** Bytes and not a Blob: older web views lose those. */
interface StoredFile {
  buffer: ArrayBuffer;
  type: string;
}

const readAll = async (): Promise<QueuedCommand[]> => (await store.get(KEY)) ?? [];

const isHeld = ({ heldUntil = 0 }: QueuedCommand) => heldUntil > Date.now();

const isMine = (queued: QueuedCommand) => queued.userId === getSession().userId;

async function change(next: (queue: QueuedCommand[]) => QueuedCommand[]): Promise<void> {
  let left = 0;
  await store.update(KEY, (queue = []) => {
    const changed = next(queue);
    left = changed.length;
    return changed;
  });
  writeLocal('queued', left > 0 ? 'yes' : null);
  channel.postMessage('changed');
  await readQueue();
}

/** Shows what is queued. What another person left on this device is neither shown nor sent. */
export async function readQueue(): Promise<void> {
  const all = await readAll();
  // The session of after the reading: both lines see the same one.
  const mine = all.filter(isMine);
  showQueuedCommands(
    mine.filter((queued) => !isHeld(queued)),
    getSession().userId,
  );
  clearTimeout(heldTimer);
  const next = Math.min(...mine.filter(isHeld).map(({ heldUntil = 0 }) => heldUntil));
  if (next < Infinity) heldTimer = setTimeout(wake, next - Date.now());
}

/**
 * Queues a command, and tries it soon.
 * @param userId whose it is; another person may be logged in by now
 * @throws {AppError} 507 when this device has no room for it; then nothing is stored
 */
export async function enqueue<Input, Answer>(
  command: Command<Input, Answer>,
  input: Input,
  { key, file }: Sending,
  userId = getSession().userId,
): Promise<void> {
  if (!userId) throw new AppError('errors.session_expired', 401);
  const queued: QueuedCommand = {
    id: key,
    userId,
    command: command.name,
    input: command.whenQueued ? command.whenQueued(input) : input,
    hasFile: command.hasFile === true,
    queuedAt: Date.now(),
    ...(command.undoMs !== undefined && { heldUntil: Date.now() + command.undoMs }),
    rejection: null,
  };
  try {
    if (file) await files.set(key, { buffer: await file.arrayBuffer(), type: file.type });
    await change((queue) => added(queue, queued, command as Command<unknown>));
  } catch (error) {
    if (file) await files.delete(key).catch(() => undefined);
    throw new AppError('queuedCommands.noRoom', 507, { cause: error });
  }
  void persistStorage();
  if (isHeld(queued)) return;
  showToast(translate('queuedCommands.savedForLater'));
  tried = 0;
  void drain().catch(warn);
}

/** Asks the browser not to clear this device's storage while something is queued in it. */
async function persistStorage(): Promise<void> {
  try {
    // Not on insecure addresses, and not in every browser.
    const storage = navigator.storage as StorageManager | undefined;
    if (!(await storage?.persisted())) await storage?.persist();
  } catch (error) {
    console.warn('The queue may be cleared by the browser:', error);
  }
}

/** @returns false where there is none any more that is held */
export async function undoHeld(name: string): Promise<boolean> {
  const last = (await readAll()).findLast(
    (queued) => queued.command === name && isMine(queued) && isHeld(queued),
  );
  if (last) await discard(last);
  return last !== undefined;
}

/** Who leaves the app does not undo anything any more. */
async function sendHeld(): Promise<void> {
  if (!(await readAll()).some(isHeld)) return;
  await change((queue) =>
    queue.map((queued) => (isHeld(queued) ? { ...queued, heldUntil: Date.now() } : queued)),
  );
  await drain();
}

/** Takes one from the queue for good; what it had shown is asked for again. */
export async function discard({ id, command, input }: QueuedCommand): Promise<void> {
  await remove(id, (queue) => queue.filter((queued) => queued.id !== id));
  const changed = await loadCommand(command)
    .then((known) => known?.changes(input))
    // This version does not know it, or cannot read it.
    .catch(() => undefined);
  await renewEverywhere(queryClient, changed ?? []);
}

async function remove(
  id: string,
  next: (queue: QueuedCommand[]) => QueuedCommand[],
): Promise<void> {
  await change(next);
  await files.delete(id);
}

/** Deletes everything of a person, photos too: they logged out, and said that it may go. */
export async function clearQueue(userId: string): Promise<void> {
  const theirs = (await readAll()).filter((queued) => queued.userId === userId);
  await change((queue) => queue.filter((queued) => queued.userId !== userId));
  await files.delete(...theirs.map(({ id }) => id));
}

/** How many commands of a person are not done yet; while logged out, of everybody whose session was lost. */
export const countQueued = async (whose = getSession().userId): Promise<number> =>
  (await readAll()).filter(({ userId }) => whose === null || userId === whose).length;

/** Tries a rejected command again, after the age where it was rejected for that. `decide`: what the person has decided about its input. */
export async function retry(
  id: string,
  decide: (input: unknown) => unknown = (input) => input,
): Promise<void> {
  const rejection = (await readAll()).find((queued) => queued.id === id)?.rejection;
  if (rejection === 'errors.age_required')
    try {
      if (!(await confirmAge())) return;
    } catch (error) {
      showError(error);
      return;
    }
  await change((queue) =>
    queue.map((queued) =>
      queued.id === id ? { ...queued, input: decide(queued.input), rejection: null } : queued,
    ),
  );
  await drain();
}

/** Sends what is queued, in order, until all is sent or the network fails again. Two tabs never send at once. */
export async function drain(): Promise<void> {
  clearTimeout(timer);
  if (!isOnline() || getSession().status !== 'in') return;
  await withLock(async () => {
    const changed: QueryKey[] = [];
    let sent = 0;
    for (;;) {
      const next = nextToSend(
        (await readAll()).filter((queued) => isMine(queued) && !isHeld(queued)),
      );
      if (!next) break;
      const outcome = await sendNext(next, changed);
      if (outcome === 'later') {
        tryLater();
        break;
      }
      // What was only held has been thanked for.
      if (outcome === 'done' && Date.now() - (next.heldUntil ?? 0) > MINUTE_MS) sent++;
      tried = 0;
    }
    if (sent > 0)
      showToast(translate('queuedCommands.sentCount', { count: sent }), { kind: 'success' });
    await renewEverywhere(queryClient, changed);
  });
}

/** Sends one command and writes down what became of it. `changed`: gets the queries that are stale now. */
async function sendNext(
  next: QueuedCommand,
  changed: QueryKey[],
): Promise<'done' | 'rejected' | 'later'> {
  const command = await loadCommand(next.command).catch((error: unknown) => {
    console.warn('The code of a command cannot be fetched:', error);
    return undefined;
  });
  if (command === undefined) return 'later';
  let outcome: Outcome = await sendQueued(next, command, await fileOf(next.id));
  if (outcome.kind === 'fault' && isLastFault(next.id))
    outcome = { kind: 'rejected', reason: 'errors.unexpected' };
  if (outcome.kind === 'later' || outcome.kind === 'fault') return 'later';
  changed.push(...(outcome.changed ?? []));
  if (outcome.kind === 'done') {
    // Before it goes from the queue, or a screen that reads both would show for a moment what was before.
    outcome.show();
    countSent();
    await remove(next.id, (queue) => withoutDone(queue, next, command ?? {}));
    return 'done';
  }
  const { reason, isSentence } = outcome;
  await change((queue) =>
    queue.map((queued) => (queued.id === next.id ? { ...queued, rejection: reason } : queued)),
  );
  showProblem(
    translate(isSentence ? reason : (command?.rejected ?? 'queuedCommands.rejectedToast')),
  );
  return 'rejected';
}

/** A server may stumble once; what it always stumbles over is rejected, and the person may try it again. */
function isLastFault(id: string): boolean {
  const count = (faults.get(id) ?? 0) + 1;
  faults.set(id, count % MOST_FAULTS);
  return count >= MOST_FAULTS;
}

async function fileOf(id: string): Promise<Blob | undefined> {
  const stored = await files.get(id);
  return stored && new Blob([stored.buffer], { type: stored.type });
}

/** The device says that it is online, and nothing answers: no event will tell when that changes. */
function tryLater(): void {
  timer = setTimeout(() => void drain().catch(warn), pauseMs(tried));
  tried++;
}

/** Locks are missing on insecure addresses: the server's keys then still do each thing once. */
async function withLock(task: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(NAME, task);
  else await task();
}

const warn = (error: unknown) => console.warn('The queue cannot be read:', error);

function wake(): void {
  tried = 0;
  void readQueue().then(drain).catch(warn);
}

/** Call once: shows what is queued, and sends it whenever there is a network and a login. */
export function startQueue(): void {
  let before = '';
  subscribeSession(() => {
    const { status, userId, lastEvent } = getSession();
    const now = `${status} ${String(userId)} ${String(lastEvent === 'TOKEN_REFRESHED')}`;
    if (now !== before) wake();
    before = now;
  });
  onReconnect(wake);
  onResume(wake);
  onHide(() => void sendHeld().catch(warn));
  channel.addEventListener('message', () => void readQueue().catch(warn));
  wake();
}
