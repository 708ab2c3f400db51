// Processor time of a process, from Linux's own count.
import { readFileSync } from 'node:fs';

/** USER_HZ is 100 on every Linux that Node runs on. */
const TICKS = 100;

/** User and system time in seconds. @param first the place of the two in /proc/…/stat, counted from behind the name */
function seconds(pid: number, first: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[first]) + Number(fields[first + 1])) / TICKS;
}

/** Seconds of processor time that a process has used, its threads included. */
export const processorSeconds = (pid: number): number => seconds(pid, 11);

/** The same of all its children that have ended. */
export const endedChildrenSeconds = (pid: number): number => seconds(pid, 13);

export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes?.[1]) / 1000;
}
