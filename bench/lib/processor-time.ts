// Processor time of a process, as counted by Linux.
import { readFileSync } from 'node:fs';

/** USER_HZ is 100 on every Linux that Node supports. */
const TICKS = 100;

/**
 * Returns user and system time in seconds.
 * @param first index of the two fields in /proc/…/stat, counted after the process name
 */
function seconds(pid: number, first: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process name is in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[first]) + Number(fields[first + 1])) / TICKS;
}

/** Processor time of a process in seconds, including its threads. */
export const processorSeconds = (pid: number): number => seconds(pid, 11);

export const endedChildrenSeconds = (pid: number): number => seconds(pid, 13);

export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes?.[1]) / 1000;
}
