// What a command is: one thing that a person does, sent at once where there is a network, and queued where there is none.
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { GenericSchema } from 'valibot';
import type { Supabase } from '#/data/supabase.ts';
import type { CodeTexts } from '#/i18n/errors.ts';
import type { MessageKey } from '#/i18n/i18n.ts';

/** A request of the official client that is not sent yet. */
export interface Request extends PromiseLike<{ data: unknown; error: unknown; status: number }> {
  setHeader: (name: string, value: string) => unknown;
}

/** What a command sends with, now or later: always as the command's owner, even after another login. */
export interface Sender {
  client: Supabase;
  userId: string;
  /** The idempotency key: the same for every try of one command. */
  key: string;
  /** It waited in the queue: what was true of the moment it was meant for may no longer be. */
  isQueued: boolean;
  /** The data of an answer. @throws {AppError} with the command's own texts for codes */
  ask: <Data>(request: Request) => Promise<Data>;
  /** What a command with `hasFile` uploads. @throws {AppError} where it is no longer on this device */
  file: () => Blob;
  /** Called with 0 to 1 while the upload's progress is shown. */
  onProgress?: ((share: number) => void) | undefined;
}

export interface Sending {
  key: string;
  isQueued?: boolean;
  file?: Blob | undefined;
  onProgress?: Sender['onProgress'];
}

/** Whom or what a command is about; the list of pending commands looks the name up. */
export interface Subject {
  parkId?: number;
  userId?: string;
}

/** A choice that only the person can make: another try alone would end the same way. */
export interface Decision<Input> {
  label: MessageKey;
  /** What is sent after it. */
  change(input: Input): Input;
}

/** What a person wrote, as the list shows it while they decide. */
interface Preview {
  /** 1 to 5. */
  stars: number;
  texts: string[];
}

/** What has words of its own in the list of what waits, `queuedCommands.kind.<name>`. */
type CommandName = MessageKey extends infer Key
  ? Key extends `queuedCommands.kind.${infer Name}`
    ? Name
    : never
  : never;

// Methods and not properties: a list of commands with different inputs then has a type.
export interface Command<Input, Answer = unknown> {
  /** Lies in the queues of phones, so it never changes: the name of its file with underscores. */
  name: CommandName;
  /** Checks what is sent, also what an older version of the app has queued. */
  input: GenericSchema<unknown, Input>;
  /** Sends it, now and later alike. @throws {AppError} what the server refuses */
  send(input: Input, sender: Sender): Promise<Answer>;
  /** The queries that it changes. @param answer undefined where there is none */
  changes(input: Input, answer?: Answer): readonly QueryKey[];
  /** Where its input does not name the park or person itself. */
  about?(input: Input): Subject;
  codes?: CodeTexts;
  /** It uploads a file, which is stored apart and sent after all others. */
  hasFile?: true;
  /** Shows it at once in the query cache. @returns takes it back */
  optimistic?(queryClient: QueryClient, input: Input): () => void;
  /**
   * Shows in the query cache what its answer tells. What was queued is asked for all the same: much may have happened since.
   * @returns those of the queries in `changes` that need not be asked again
   */
  show?(queryClient: QueryClient, input: Input, answer: Answer): readonly QueryKey[];
  /** What is true of it after some time in the queue, or null when nothing is any more. @param waited milliseconds */
  adjustForDelay?(input: Input, waited: number): Input | null;
  /** How long it is held in the queue, so that the person can undo it; milliseconds. */
  undoMs?: number;
  /** What is said where it was rejected after it was queued. */
  rejected?: MessageKey;
  /** What it becomes when it has to be queued. */
  whenQueued?(input: Input): Input;
  /**
   * Whether it takes the place of the same person's command of this name that is still queued; without it, the same again while
   * it waits is no second one.
   */
  replaces?(input: Input, queued: Input): boolean;
  /** What a later one of this name becomes once this one is done. */
  afterDone?(later: Input, done: Input): Input;
  /** A whole sentence for an answer that is no refusal, and yet nothing was done. */
  notDone?(answer: Answer): MessageKey | null;
  /** By the reason why it was not done. */
  decisions?: Partial<Record<MessageKey, Decision<Input>>>;
  /** Shown beside a decision. */
  preview?(input: Input): Preview;
}

export type AnyCommand = Command<unknown>;

/** Gives the definition its types. Its file is `features/<plural>/commands/<name>.command.ts` and exports it as `command`. */
export const defineCommand = <Input, Answer>(
  command: Command<Input, Answer>,
): Command<Input, Answer> => command;
