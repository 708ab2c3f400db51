// The disk that the data lies on: how much of it is free, and what its end looks like.
import { statfs } from 'node:fs/promises';

/** The message for users; the operating system's message would reveal file names. */
export const DISK_FULL = 'There is no room left to store anything right now';

/** No room on the disk, none in one's quota, or a file that is larger than one may write (`ulimit -f`); and PostgreSQL's. */
const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);

export const isDiskFull = (error: unknown): boolean => FULL.has((error as { code?: unknown }).code);

/** Below this much free space, the operator is warned. */
export const LOW_BYTES = 2 ** 30;

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
