// Main script of the image process. It receives one job per message from the host, and ends when the host ends.
import os from 'node:os';
import type { ImageJob } from '#/host/storage/image-job.ts';
import { workOnImage } from '#/host/storage/convert-image.ts';

// Lowers the priority of this process, so that image work does not slow down requests.
os.setPriority(Number(process.argv[2]));

/** Maximum CPU time per image, in microseconds. */
const MAX_PROCESSOR_TIME = Number(process.argv[3]) * 1e6;

/** Ends this process if an image exceeds its CPU time, because a decoder cannot be interrupted in another way. */
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
// A terminal or service manager sends these signals to the whole process group. They are ignored, because the host ends this
// process after its own work.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
