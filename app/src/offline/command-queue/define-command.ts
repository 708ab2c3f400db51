// The contract of a command: one user action, sent immediately if online and queued otherwise.
import type { QueryKey } from '@tanstack/react-query';
import type { GenericSchema } from 'valibot';
import type { Supabase } from '#/data/supabase.ts';
import type { CodeTexts } from '#/i18n/errors.ts';
import type { MessageKey } from '#/i18n/i18n.ts';

/** A request of the official client that has not been sent yet. */
export interface Request extends PromiseLike<{ data: unknown; error: unknown; status: number }> {
  setHeader: (name: string, value: string) => unknown;
}

/** Sends requests as the command's owner, even after another user has logged in. */
export interface Sender {
  client: Supabase;
  userId: string;
  /** The idempotency key: the same for each attempt to send one command. */
  key: string;
  /** True if the queue sends the command; the circumstances may have changed since it was queued. */
  isQueued: boolean;
  /**
   * Sends a request and returns the data of the response.
   * @param codes error codes that need another message here than `errors.<code>`
   * @throws {AppError}
   */
  request: <Data>(request: Request, codes?: CodeTexts) => Promise<Data>;
  /** The file to upload. @throws {AppError} if it has been deleted from this device */
  file: () => Blob;
  /** Called with the uploaded share, 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
}

export interface Sending {
  key: string;
  isQueued?: boolean;
  file?: Blob | undefined;
  onProgress?: Sender['onProgress'];
}

/** A change to one query's cached data that shows the effect of a command. */
export interface CacheChange {
  queryKey: QueryKey;
  update: (data: unknown) => unknown;
}

/** @param update gets the cached data, or undefined if there is none; returns a new value, or `data` if nothing changes */
export const change = <Data>(queryKey: QueryKey, update: (data: Data) => Data): CacheChange => ({
  queryKey,
  update: update as CacheChange['update'],
});

/** One use of a command: its ID is the idempotency key; times are milliseconds since the epoch. */
interface Application<Response> {
  id: string;
  /** When the user ran the command. */
  at: number;
  now: number;
  /** Undefined as long as the server has not responded. */
  response?: Response;
}

/** A choice that the user must make after a rejection, because sending the same input again would fail again. */
export interface Decision<Input> {
  label: MessageKey;
  /** Returns the input to send after the user has decided. */
  change(input: Input): Input;
  /** Returns the user's stars and texts, which are shown while the user decides about a rejected command. */
  preview?(input: Input): { stars: number; texts: string[] };
}

/** Rules for a command in the queue. */
export interface QueueRules<Input> {
  /**
   * True if this input replaces a queued command of the same name. Without this rule, a command with the same input as the last
   * queued one is a duplicate and is not queued again.
   */
  replaces?(input: Input, queued: Input): boolean;
  /** The command is rejected if it has been queued for longer. Without this rule, it never expires. */
  expiresAfterMs?: number;
  /** Adapts the input to the time for which it was queued, in milliseconds. Returns null if it is too late to send the command. */
  adjustForDelay?(input: Input, queuedMs: number): Input | null;
  /** Adapts a later command of the same name after an earlier one was sent. */
  afterSent?(later: Input, sent: Input): Input;
  /** Delays sending so the user can undo it. `rejected` is the message if the server rejects it after that. */
  undo?: { ms: number; rejected: MessageKey };
  /** The user's possible decisions, by the reason of the rejection. */
  decisions?: Partial<Record<MessageKey, Decision<Input>>>;
}

/** Each command has a label in the list of queued commands: `queuedCommands.kind.<name>`. */
type CommandName = MessageKey extends infer Key
  ? Key extends `queuedCommands.kind.${infer Name}`
    ? Name
    : never
  : never;

// Declares methods rather than properties, so that commands with different inputs are assignable to `AnyCommand`.
export interface Command<Input, Response = unknown> {
  /** The name of its file with underscores. It is stored in the queues of devices, so it must never change. */
  name: CommandName;
  /** Validates the input, including input that an older version of the app has queued. */
  input: GenericSchema<unknown, Input>;
  /** Sends the command, directly or from the queue. @throws {AppError} if the server rejects it */
  send(input: Input, sender: Sender): Promise<Response>;
  /**
   * Describes how cached data looks with the command applied: while it is being sent, while it is queued, and with the server's
   * response. Returns fewer changes for a response that does not contain the new data; the other queries are then fetched.
   */
  apply?(input: Input, application: Application<Response>): readonly CacheChange[];
  /** Queries to fetch again after sending, in addition to what `apply` cannot take from the response. */
  invalidates(input: Input, response?: Response): readonly QueryKey[];
  queue?: QueueRules<Input>;
}

export type AnyCommand = Command<unknown>;

/** Infers the types. Each file `features/<plural>/commands/<name>.command.ts` exports its definition as `command`. */
export const defineCommand = <Input, Response>(
  command: Command<Input, Response>,
): Command<Input, Response> => command;
