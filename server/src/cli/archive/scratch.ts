// Temporary folders of commands. A folder is removed when its command ends. If the command was killed, the next command removes the
// folder.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive, runningServer } from '#/host/db/cluster-files.ts';
import { clusterFolder } from '#/host/db/data-home.ts';
import { StartError } from '#/host/lib/start-error.ts';

interface Scratch {
  folder: string;
  remove(): Promise<void>;
}

/** The prefix of the folders in which a restore unpacks and loads an archive. */
export const RESTORE = 'restore-';

/** Removes the temporary folders of commands that were killed. */
export async function removeLeftovers(parent: string, prefix: string): Promise<void> {
  const left = await readdir(parent).catch((): string[] => []);
  for (const name of left) {
    const owner = Number(name.startsWith(prefix) && /^(\d+)-/.exec(name.slice(prefix.length))?.[1]);
    if (!(owner > 0) || isAlive(owner)) continue;
    const folder = path.join(parent, name);
    const orphan = runningServer(clusterFolder(folder));
    if (orphan) process.kill(orphan.pid, 'SIGQUIT');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * @param parent an existing folder
 * @param prefix of the folder's name; the process ID follows, so that later commands can check whether its process still runs
 * @throws StartError if `parent` is not writable
 */
export async function createScratch(parent: string, prefix: string): Promise<Scratch> {
  await removeLeftovers(parent, prefix);
  const folder = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`)).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(`${parent} cannot be written (${error.code}).`, { cause: error });
    },
  );
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
