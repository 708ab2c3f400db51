// A folder that a command works in, gone when it ends; what a killed command left is removed by the next one.
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

/** Removes what killed commands left in a folder. */
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
 * @param parent a folder that is there
 * @param prefix of the folder's name; the process follows, so that the next command knows whose it was
 * @throws StartError where `parent` cannot be written
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
