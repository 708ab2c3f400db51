// The definition of a queued command, which its row in the list needs for its label and for the user's decisions.
import { useEffect, useState } from 'react';
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';
import { loadCommand } from '#/offline/command-queue/registry.ts';
import { readInput } from '#/offline/command-queue/send-queued.ts';

interface Definition {
  command: AnyCommand;
  /** Undefined if this version of the app cannot read it. */
  input: unknown;
}

/** Null while it is loading, and if it cannot be loaded. */
export function useDefinition({ command: name, input }: QueuedCommand): Definition | null {
  const [command, setCommand] = useState<AnyCommand | null>(null);
  useEffect(() => {
    let isShown = true;
    loadCommand(name).then(
      (loaded) => {
        if (isShown) setCommand(loaded);
      },
      (error: unknown) => console.warn('A command cannot be loaded:', error),
    );
    return () => {
      isShown = false;
    };
  }, [name]);
  return command && { command, input: readInput(command, input) };
}
