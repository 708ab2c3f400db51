// The definition of a queued command, loaded by its name: how it reads, and what its person can decide.
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';
import { loadCommand } from '#/offline/command-queue/registry.ts';

interface Definition {
  command: AnyCommand;
  /** Checked; undefined where this version of the app cannot read it. */
  input: unknown;
}

/** Null while it is on its way, and where it cannot be had. */
export function useDefinition({ command: name, input }: QueuedCommand): Definition | null {
  const [command, setCommand] = useState<AnyCommand | null>(null);
  useEffect(() => {
    let isShown = true;
    loadCommand(name).then(
      (loaded) => {
        if (isShown) setCommand(loaded);
      },
      (error: unknown) => console.warn('The words of a command cannot be had:', error),
    );
    return () => {
      isShown = false;
    };
  }, [name]);
  if (!command) return null;
  const checked = v.safeParse(command.input, input);
  return { command, input: checked.success ? checked.output : undefined };
}
