// The server's answer with what the person did since and what waits on this device. Pure.
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';

export type Waiting = Pick<QueuedCommand, 'command' | 'input' | 'rejection'>;

export interface Shown<Answer> {
  shown: Answer;
  /** Some of it is on this device alone until there is a network. */
  isWaiting: boolean;
}

/** @param apply what a command of this name makes of the answer; undefined where it is about something else */
export function withWaiting<Answer, Input>(
  answer: Answer,
  queue: readonly Waiting[],
  name: string,
  apply: (shown: Answer, input: Input) => Answer | undefined,
): Shown<Answer> {
  let shown = answer;
  let isWaiting = false;
  for (const { command, input, rejection } of queue) {
    if (command !== name || rejection !== null) continue;
    const next = apply(shown, input as Input);
    if (next === undefined) continue;
    shown = next;
    isWaiting = true;
  }
  return { shown, isWaiting };
}
