// Loads the definition of a queued command, from which its row in the list gets its label and the possible decisions.
import { useEffect, useState } from 'react';
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';
import { loadCommand } from '#/offline/command-queue/registry.ts';
import { readInput } from '#/offline/command-queue/send-queued.ts';

interface Definition {
  command: AnyCommand;
  /** Undefined if this version of the app cannot parse it. */
  input: unknown;
}

/** Null while loading or if loading failed. */
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
