// Processor time of a process, from Linux's own count.
import { readFileSync } from 'node:fs';

/** USER_HZ is 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Seconds of processor time that a process has used, its threads included. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident set in MB. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes?.[1]) / 1000;
}
