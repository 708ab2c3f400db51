// All commands that can be queued, by the name of their file `<name>.command.ts`.
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';
import type { CommandLoaders } from '#/offline/command-queue/registry.ts';

const files = import.meta.glob<AnyCommand>('./features/*/commands/*.command.ts', {
  import: 'command',
});

/** For example check_in for features/check-ins/commands/check-in.command.ts. */
const nameOf = (path: string) => path.replace(/^.*\/|\.command\.ts$/g, '').replaceAll('-', '_');

export const commandFiles: CommandLoaders = new Map(
  Object.entries(files).map(([path, load]) => [nameOf(path), load]),
);
