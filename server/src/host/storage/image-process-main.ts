// The image process: takes jobs from the host, one message each, and ends with it.
import os from 'node:os';
import type { ImageJob } from '#/host/storage/image-job.ts';
import { workOnImage } from '#/host/storage/convert-image.ts';

// Requests that need no picture go first.
os.setPriority(Number(process.argv[2]));

/** Microseconds of the processor that one picture may take. */
const MAX_PROCESSOR_TIME = Number(process.argv[3]) * 1e6;

/** Ends this process where a picture takes longer than it may; a decoder cannot be stopped otherwise. */
function endIfHung(before: NodeJS.CpuUsage): void {
  const { user, system } = process.cpuUsage(before);
  if (user + system > MAX_PROCESSOR_TIME) process.kill(process.pid, 'SIGKILL');
}

process.on('message', ({ id, job }: { id: number; job: ImageJob }) => {
  const before = process.cpuUsage();
  const watch = setInterval(() => endIfHung(before), 1000);
  void workOnImage(job).then((result) => {
    clearInterval(watch);
    if (process.connected) process.send?.({ id, result });
  });
});
process.on('disconnect', () => process.exit());
// Sent to the whole group by a terminal or a service manager; the host ends this process when its own work is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
