// All commands that can be queued, by their files: a new one is found here by its name alone.
import type { CommandFiles } from '#/offline/command-queue/registry.ts';

export const commandFiles: CommandFiles = import.meta.glob('./features/*/commands/*.command.ts', {
  import: 'command',
});
