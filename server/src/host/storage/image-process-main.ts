// The image process: receives one job per message from the host, and ends when the host ends.
import os from 'node:os';
import type { ImageJob } from '#/host/storage/image-job.ts';
import { workOnImage } from '#/host/storage/convert-image.ts';

// Lowers this process's priority, so that image work does not slow down other requests.
os.setPriority(Number(process.argv[2]));

/** CPU time in microseconds per image. */
const MAX_PROCESSOR_TIME = Number(process.argv[3]) * 1e6;

/** Ends this process if an image exceeds its CPU time, because a decoder cannot be interrupted otherwise. */
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
// A terminal or a service manager sends these to the whole process group; the host ends this process after its own work.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
