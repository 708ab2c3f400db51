// The disk that the data lies on: how much of it is free, and what its end looks like.
import { statfs } from 'node:fs/promises';

/** What people are told; the server's own words name its files. */
export const DISK_FULL = 'There is no room left to store anything right now';

/** Whether an error says that a disk is full: Node's codes, and PostgreSQL's. */
export function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === '53100';
}

/** How many bytes are free for us where a folder lies. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
