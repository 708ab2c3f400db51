// Sends one queued command and returns its outcome: sent, rejected with a reason, or still to be sent.
import type { QueryKey } from '@tanstack/react-query';
import * as v from 'valibot';
import { isRetryable, isServerFault } from '#/data/retry-policy.ts';
import { queryClient } from '#/data/query-client.ts';
import type { AppError } from '#/core/app-error.ts';
import { hasNoResponse, toAppError } from '#/i18n/errors.ts';
import type { MessageKey } from '#/i18n/i18n.ts';
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';
import { TOO_LATE } from '#/offline/command-queue/queue-rules.ts';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';
import { senderFor } from '#/offline/command-queue/sender.ts';
import { applyResponse, changedQueries } from '#/offline/command-queue/unsent-commands.ts';

/**
 * 'later': offline, no valid session, or a busy server. 'fault': an internal error of the server. `changed`: queries that are stale
 * now.
 */
export type Outcome =
  | { type: 'sent'; changed: readonly QueryKey[] }
  | { type: 'later' }
  | { type: 'fault' }
  | { type: 'rejected'; reason: MessageKey; changed?: readonly QueryKey[] };

const UNREADABLE: Outcome = { type: 'rejected', reason: 'errors.unexpected' };

/** Returns undefined if this version of the app cannot parse the input. */
export function readInput(command: AnyCommand, input: unknown): unknown {
  const checked = v.safeParse(command.input, input);
  return checked.success ? checked.output : undefined;
}

/** The HTTP status of the response. The AppError may have a different status for its code, such as too_many. */
function statusOf(error: AppError): number {
  const { status } = (error.cause ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : error.status;
}

/** @param command null if this version of the app does not know it @param file undefined if it is lost */
export async function sendQueued(
  queued: QueuedCommand,
  command: AnyCommand | null,
  file: Blob | undefined,
): Promise<Outcome> {
  const read = command ? readInput(command, queued.input) : undefined;
  if (!command || read === undefined) return UNREADABLE;
  const { id, userId, queuedAt } = queued;
  // The time is at least 0, because the clock may have been set back.
  const queuedMs = Math.max(0, Date.now() - queuedAt);
  const { adjustForDelay, expiresAfterMs = Infinity } = command.queue ?? {};
  const input = adjustForDelay ? adjustForDelay(read, queuedMs) : read;
  const changed = changedQueries(command, read);
  if (input === null || queuedMs > expiresAfterMs)
    return { type: 'rejected', reason: TOO_LATE, changed };
  try {
    const sender = await senderFor(userId, { key: id, isQueued: true, file });
    const response = await command.send(input, sender);
    // Apply the response before the command leaves the queue. Otherwise screens would briefly show the old data.
    if (response !== null)
      await applyResponse(queryClient, command, input, { id, at: queuedAt, response });
    // Other data may have changed while the command was queued, so refetch even queries that the response updated.
    return { type: 'sent', changed: changedQueries(command, input, response) };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (hasNoResponse(error) || isRetryable(statusOf(error))) {
      console.warn('The command is sent later:', thrown);
      return { type: 'later' };
    }
    if (isServerFault(statusOf(error))) return { type: 'fault' };
    return { type: 'rejected', reason: error.key, changed };
  }
}
