// The offline command queue: stored on this device, sent in order and once, by one tab at a time.
import type { QueryKey } from '@tanstack/react-query';
import { confirmAge } from '#/data/session/age-prompt.ts';
import { invalidateInAllTabs } from '#/data/tab-sync.ts';
import { queryClient } from '#/data/query-client.ts';
import { MAX_FAULTS, pauseMs } from '#/data/retry-policy.ts';
import { getSession, subscribeSession } from '#/data/session/session.ts';
import { MINUTE_MS } from '../../../../shared/durations.ts';
import { AppError } from '#/core/app-error.ts';
import { translate } from '#/i18n/i18n.ts';
import type { AnyCommand, Command, Sending } from '#/offline/command-queue/define-command.ts';
import {
  countSent,
  type QueuedCommand,
  showQueue,
} from '#/offline/command-queue/queued-commands.ts';
import { added, nextToSend, withoutSent } from '#/offline/command-queue/queue-rules.ts';
import { loadCommand } from '#/offline/command-queue/registry.ts';
import { type Outcome, readInput, sendQueued } from '#/offline/command-queue/send-queued.ts';
import { changedQueries, type UnsentCommand } from '#/offline/command-queue/unsent-commands.ts';
import { openStore } from '#/offline/device-store.ts';
import { onHide, onResume } from '#/platform/lifecycle.ts';
import { writeLocal } from '#/platform/local-settings.ts';
import { isOnline, onReconnect } from '#/platform/online.ts';
import { showError, showProblem, showToast } from '#/ui/toast.ts';

const NAME = 'packpark-commands';
const KEY = 'commands';

/** Stores bytes instead of a Blob, because older web views lose Blobs. */
interface StoredFile {
  buffer: ArrayBuffer;
  type: string;
}

type ChangeQueue = (queue: QueuedCommand[]) => QueuedCommand[];

const canUndo = ({ undoUntil = 0 }: QueuedCommand) => undoUntil > Date.now();

const isMine = ({ userId }: QueuedCommand) => userId === getSession().userId;

const warn = (error: unknown) => console.warn('The queue cannot be read:', error);

class CommandQueue {
  readonly #entries = openStore<QueuedCommand[]>(NAME, 'entries');
  /** Photos by the ID of their command, separate so that reading the list stays fast. */
  readonly #files = openStore<StoredFile>(`${NAME}-bytes`, 'bytes');
  readonly #channel = new BroadcastChannel(NAME);
  /** Definitions by command name; null if this version of the app does not know the command. */
  readonly #definitions = new Map<string, AnyCommand | null>();
  /** Number of server faults by command ID. */
  readonly #faults = new Map<string, number>();
  /** Number of failed attempts since the last successful one. */
  #attempts = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #undoTimer: ReturnType<typeof setTimeout> | undefined;

  /** Call once: shows the queue, and sends it whenever there is a network and a session. */
  start(): void {
    let before = this.#watchedSession();
    subscribeSession(() => {
      const now = this.#watchedSession();
      const isSame =
        now.status === before.status &&
        now.userId === before.userId &&
        now.isRefreshed === before.isRefreshed;
      before = now;
      if (!isSame) this.#wake();
    });
    onReconnect(() => this.#wake());
    onResume(() => this.#wake());
    onHide(() => void this.#endUndo().catch(warn));
    this.#channel.addEventListener('message', () => void this.read().catch(warn));
    this.#wake();
  }

  #watchedSession() {
    const { status, userId, lastEvent } = getSession();
    return { status, userId, isRefreshed: lastEvent === 'TOKEN_REFRESHED' };
  }

  #wake(): void {
    this.#attempts = 0;
    void this.read()
      .then(() => this.drain())
      .catch(warn);
  }

  /** Reads the queue and shows it. Commands of other users of this device are neither shown nor sent. */
  async read(): Promise<void> {
    let all = await this.#readAll();
    if (await this.#loadDefinitions(all)) all = await this.#readAll();
    // Do not await anything below, because the filter and the owner must belong to the same session.
    const mine = all.filter(isMine);
    const commands = mine.filter((queued) => !canUndo(queued));
    showQueue({
      commands,
      unsent: commands.flatMap((queued) => this.#toUnsent(queued)),
      owner: getSession().userId,
    });
    clearTimeout(this.#undoTimer);
    const next = Math.min(...mine.filter(canUndo).map(({ undoUntil = 0 }) => undoUntil));
    if (next < Infinity) this.#undoTimer = setTimeout(() => this.#wake(), next - Date.now());
  }

  readonly #readAll = async (): Promise<QueuedCommand[]> => (await this.#entries.get(KEY)) ?? [];

  /** @returns true if it had to load any */
  async #loadDefinitions(queue: readonly QueuedCommand[]): Promise<boolean> {
    const names = new Set(queue.filter(isMine).map(({ command }) => command));
    const missing = [...names].filter((name) => !this.#definitions.has(name));
    const load = async (name: string) => this.#definitions.set(name, await loadCommand(name));
    for (const { status, ...result } of await Promise.allSettled(missing.map(load)))
      if (status === 'rejected') console.warn('A queued command is not shown:', result);
    return missing.length > 0;
  }

  #toUnsent({ id, command: name, input, queuedAt, rejection }: QueuedCommand): UnsentCommand[] {
    const command = this.#definitions.get(name);
    const read = command && rejection === null ? readInput(command, input) : undefined;
    return command && read !== undefined
      ? [{ id, command, input: read, at: queuedAt, isQueued: true }]
      : [];
  }

  async #change(next: ChangeQueue): Promise<void> {
    let left = 0;
    await this.#entries.update(KEY, (queue = []) => {
      const changed = next(queue);
      left = changed.length;
      return changed;
    });
    writeLocal('queued', left > 0 ? 'yes' : null);
    this.#channel.postMessage('changed');
    await this.read();
  }

  async #remove(id: string, next: ChangeQueue): Promise<void> {
    await this.#change(next);
    await this.#files.delete(id);
  }

  /**
   * Queues a command and soon tries to send it.
   * @param userId the owner; another user may be logged in by now
   * @throws {AppError} 507 if the disk is full; nothing is stored
   */
  async enqueue<Input, Response>(
    command: Command<Input, Response>,
    input: Input,
    { key, file }: Sending,
    userId = getSession().userId,
  ): Promise<void> {
    if (!userId) throw new AppError('errors.session_expired', 401);
    const { undo } = command.queue ?? {};
    const queued: QueuedCommand = {
      id: key,
      userId,
      command: command.name,
      input,
      hasFile: file !== undefined,
      queuedAt: Date.now(),
      ...(undo && { undoUntil: Date.now() + undo.ms }),
      rejection: null,
    };
    const known = command as AnyCommand;
    this.#definitions.set(command.name, known);
    try {
      if (file) await this.#files.set(key, { buffer: await file.arrayBuffer(), type: file.type });
      await this.#change((queue) => added(queue, queued, known.queue ?? {}));
    } catch (error) {
      if (file) await this.#files.delete(key).catch(() => undefined);
      throw new AppError('queuedCommands.noRoom', 507, { cause: error });
    }
    void persistStorage();
    if (canUndo(queued)) return;
    showToast(translate('queuedCommands.savedForLater'));
    this.#attempts = 0;
    void this.drain().catch(warn);
  }

  /** Removes the last command of this name that can be undone. @returns false if there is none */
  async undo(name: string): Promise<boolean> {
    const last = (await this.#readAll()).findLast(
      (queued) => queued.command === name && isMine(queued) && canUndo(queued),
    );
    if (last) await this.discard(last);
    return last !== undefined;
  }

  /** Ends the time for undo when the user leaves the app. */
  async #endUndo(): Promise<void> {
    if (!(await this.#readAll()).some(canUndo)) return;
    await this.#change((queue) =>
      queue.map((queued) => (canUndo(queued) ? { ...queued, undoUntil: Date.now() } : queued)),
    );
    await this.drain();
  }

  /** Removes a command without sending it, and refetches the queries it changed. */
  async discard({ id, command: name, input }: QueuedCommand): Promise<void> {
    await this.#remove(id, (queue) => queue.filter((queued) => queued.id !== id));
    const command = this.#definitions.get(name);
    const read = command && readInput(command, input);
    await invalidateInAllTabs(
      queryClient,
      command && read !== undefined ? changedQueries(command, read) : [],
    );
  }

  /** Deletes everything of a user including photos, after they have logged out and confirmed it. */
  async clear(userId: string): Promise<void> {
    const theirs = (await this.#readAll()).filter((queued) => queued.userId === userId);
    await this.#change((queue) => queue.filter((queued) => queued.userId !== userId));
    await this.#files.delete(...theirs.map(({ id }) => id));
  }

  /** Number of a user's commands; while logged out, of all users whose session was lost. */
  async count(userId = getSession().userId): Promise<number> {
    const all = await this.#readAll();
    return all.filter((queued) => userId === null || queued.userId === userId).length;
  }

  /** Sends a rejected command again. If a missing age confirmation was the reason, requests it first. @param decide changes the command's input */
  async retry(id: string, decide = (input: unknown): unknown => input): Promise<void> {
    const rejected = (await this.#readAll()).find((queued) => queued.id === id);
    if (rejected?.rejection === 'errors.age_required')
      try {
        if (!(await confirmAge())) return;
      } catch (error) {
        showError(error);
        return;
      }
    await this.#change((queue) =>
      queue.map((queued) =>
        queued.id === id ? { ...queued, input: decide(queued.input), rejection: null } : queued,
      ),
    );
    await this.drain();
  }

  /** Sends the queue in order until it is empty or the network fails. Only one tab sends at a time. */
  async drain(): Promise<void> {
    clearTimeout(this.#retryTimer);
    if (!isOnline() || getSession().status !== 'in') return;
    await withLock(async () => {
      const changed: QueryKey[] = [];
      let sent = 0;
      for (;;) {
        const sendable = (await this.#readAll()).filter(
          (queued) => isMine(queued) && !canUndo(queued),
        );
        const next = nextToSend(sendable);
        if (!next) break;
        const outcome = await this.#send(next, changed);
        if (outcome === 'later') {
          this.#retryLater();
          break;
        }
        // Do not count a command whose time for undo has just ended, because the user has already seen its success message.
        if (outcome === 'sent' && Date.now() - (next.undoUntil ?? 0) > MINUTE_MS) sent++;
        this.#attempts = 0;
      }
      if (sent > 0)
        showToast(translate('queuedCommands.sentCount', { count: sent }), { type: 'success' });
      await invalidateInAllTabs(queryClient, changed);
    });
  }

  /** Sends one command and stores the outcome. @param changed collects the queries that are stale now */
  async #send(next: QueuedCommand, changed: QueryKey[]): Promise<'sent' | 'rejected' | 'later'> {
    const command = await loadCommand(next.command).catch((error: unknown) => {
      console.warn('The code of a command cannot be fetched:', error);
      return undefined;
    });
    if (command === undefined) return 'later';
    let outcome: Outcome = await sendQueued(next, command, await this.#fileOf(next.id));
    if (outcome.type === 'fault' && this.#isLastFault(next.id))
      outcome = { type: 'rejected', reason: 'errors.unexpected' };
    if (outcome.type === 'later' || outcome.type === 'fault') return 'later';
    changed.push(...(outcome.changed ?? []));
    if (outcome.type === 'sent') {
      countSent();
      await this.#remove(next.id, (queue) => withoutSent(queue, next, command?.queue ?? {}));
      return 'sent';
    }
    const { reason } = outcome;
    await this.#change((queue) =>
      queue.map((queued) => (queued.id === next.id ? { ...queued, rejection: reason } : queued)),
    );
    const { undo } = command?.queue ?? {};
    showProblem(
      undo
        ? translate(undo.rejected)
        : translate('queuedCommands.rejected', { reason: translate(reason) }),
    );
    return 'rejected';
  }

  /** A server fault may be temporary; a command that always causes one is rejected so the others can be sent. */
  #isLastFault(id: string): boolean {
    const count = (this.#faults.get(id) ?? 0) + 1;
    this.#faults.set(id, count % MAX_FAULTS);
    return count >= MAX_FAULTS;
  }

  async #fileOf(id: string): Promise<Blob | undefined> {
    const stored = await this.#files.get(id);
    return stored && new Blob([stored.buffer], { type: stored.type });
  }

  /** Retries with a timer: if the device is online but the server does not respond, no event reports when it does again. */
  #retryLater(): void {
    this.#retryTimer = setTimeout(() => void this.drain().catch(warn), pauseMs(this.#attempts));
    this.#attempts++;
  }
}

/** Requests persistent storage while commands are queued. */
async function persistStorage(): Promise<void> {
  try {
    // Missing on insecure origins and in some browsers.
    const storage = navigator.storage as StorageManager | undefined;
    if (!(await storage?.persisted())) await storage?.persist();
  } catch (error) {
    console.warn('The queue may be cleared by the browser:', error);
  }
}

/**
 * Runs a task in one tab at a time. Locks are unavailable on insecure origins; there the server's idempotency keys prevent a second
 * execution.
 */
async function withLock(task: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(NAME, task);
  else await task();
}

export const commandQueue = new CommandQueue();
