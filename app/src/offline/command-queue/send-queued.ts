// Sends one command of the queue: says whether it is done, has to wait, or was rejected and why.
import type { QueryKey } from '@tanstack/react-query';
import * as v from 'valibot';
import { isRetryable, isServerFault } from '#/data/retry-policy.ts';
import { queryClient } from '#/data/query-client.ts';
import type { AppError } from '#/core/app-error.ts';
import { isUnanswered, toAppError } from '#/i18n/errors.ts';
import type { MessageKey } from '#/i18n/i18n.ts';
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';
import { TOO_LATE } from '#/offline/command-queue/queue-rules.ts';
import { senderFor } from '#/offline/command-queue/sender.ts';

/**
 * 'later': no network, no valid session yet, or a server that is busy; 'fault': one that stumbled over it. `changed` are the
 * queries that are stale now; `isSentence` is set where the reason is a whole sentence.
 */
export type Outcome =
  | { kind: 'done'; changed: readonly QueryKey[]; show: () => void }
  | { kind: 'later' }
  | { kind: 'fault' }
  | { kind: 'rejected'; reason: MessageKey; changed?: readonly QueryKey[]; isSentence?: boolean };

const UNREADABLE: Outcome = { kind: 'rejected', reason: 'errors.unexpected' };

/** The HTTP status as it came: a code such as too_many has a status of its own in an AppError, which says nothing of now. */
function statusOf(error: AppError): number {
  const { status } = (error.cause ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : error.status;
}

/** @param command null where this version of the app knows none of its name @param file undefined where it is lost */
export async function sendQueued(
  queued: QueuedCommand,
  command: AnyCommand | null,
  file: Blob | undefined,
): Promise<Outcome> {
  if (!command) return UNREADABLE;
  const checked = v.safeParse(command.input, queued.input);
  if (!checked.success) return UNREADABLE;
  // A clock that was set back says less than nothing.
  const waited = Math.max(0, Date.now() - queued.queuedAt);
  const input = command.adjustForDelay
    ? command.adjustForDelay(checked.output, waited)
    : checked.output;
  const changed = command.changes(checked.output);
  if (input === null) return { kind: 'rejected', reason: TOO_LATE, changed };
  try {
    const sender = await senderFor(queued.userId, command, {
      key: queued.id,
      isQueued: true,
      file,
    });
    const answer = await command.send(input, sender);
    const reason = command.notDone?.(answer) ?? null;
    if (reason) return { kind: 'rejected', reason, changed, isSentence: true };
    const show = () => {
      if (answer !== null) command.show?.(queryClient, input, answer);
    };
    return { kind: 'done', changed: command.changes(input, answer), show };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (isUnanswered(error) || isRetryable(statusOf(error))) {
      console.warn('The queue is sent later:', thrown);
      return { kind: 'later' };
    }
    if (isServerFault(statusOf(error))) return { kind: 'fault' };
    return { kind: 'rejected', reason: error.key, changed };
  }
}
