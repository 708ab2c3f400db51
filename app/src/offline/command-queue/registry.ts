// Finds the definition of a queued command by its name, because the queue does not import any feature.
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';

/** Loads a command's definition, by the command's name. */
export type CommandLoaders = ReadonlyMap<string, () => Promise<AnyCommand>>;

let loadLoaders: () => Promise<CommandLoaders> = () => Promise.resolve(new Map());

/** Call once, at the start. @param load called when the first definition is needed */
export function registerCommands(load: () => Promise<CommandLoaders>): void {
  loadLoaders = load;
}

/** Returns null if the name is unknown. @throws if the code cannot be fetched */
export async function loadCommand(name: string): Promise<AnyCommand | null> {
  const loaders = await loadLoaders();
  return (await loaders.get(name)?.()) ?? null;
}

/** Loads definitions in advance. They cannot be fetched offline, so a command queued by another tab could not be shown. */
export async function preloadCommands(): Promise<void> {
  await Promise.all([...(await loadLoaders()).values()].map((load) => load()));
}
