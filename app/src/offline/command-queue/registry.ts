// Finds a queued command's code by its name; the queue itself knows no feature.
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';

/** By the path of a command's file: loads it. */
export type CommandFiles = Record<string, () => Promise<unknown>>;

let load: () => Promise<CommandFiles> = () => Promise.resolve({});

/** Call once, at the start. @param files gives the files of all commands, when the first of them is wanted */
export function registerCommands(files: () => Promise<CommandFiles>): void {
  load = files;
}

/** Such as features/check-ins/commands/check-in.command.ts for check_in. */
const fileOf = (name: string) => `/${name.replaceAll('_', '-')}.command.ts`;

/** Null where no command has this name. @throws where its code cannot be fetched */
export async function loadCommand(name: string): Promise<AnyCommand | null> {
  const files = await load();
  const path = Object.keys(files).find((file) => file.endsWith(fileOf(name)));
  const command = path === undefined ? null : await files[path]?.();
  return (command as AnyCommand | undefined) ?? null;
}
