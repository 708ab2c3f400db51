// The disk with the data: its free space, and the errors of a full disk.
import { statfs } from 'node:fs/promises';

/** The message for users. The operating system's message would reveal file names. */
export const DISK_FULL = 'There is no room left to store anything right now';

/**
 * Error codes of a full disk, an exceeded quota and a file above the size limit (`ulimit -f`), and PostgreSQL's code for a full
 * disk.
 */
const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);

export const isDiskFull = (error: unknown): boolean => FULL.has((error as { code?: unknown }).code);

/** With less free space, the operator is warned. */
export const LOW_BYTES = 2 ** 30;

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
