// The image process: takes jobs from the host, one message each, and ends with it.
import os from 'node:os';
import type { ImageJob } from '#/host/storage/image-job.ts';
import { workOnImage } from '#/host/storage/image-work.ts';

// Requests that need no picture go first.
os.setPriority(Number(process.argv[2]));

process.on('message', ({ id, job }: { id: number; job: ImageJob }) => {
  void workOnImage(job).then((result) => {
    if (process.connected) process.send?.({ id, result });
  });
});
process.on('disconnect', () => process.exit());
// Sent to the whole group by a terminal or a service manager; the host ends this process when its own work is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
