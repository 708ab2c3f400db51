// Tests the life cycle of the image process: no job is lost when the process ends or hangs.
import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { ImageJob } from '#/host/storage/image-job.ts';
import { IDLE_MS, ImageProcess, ImageProcessError } from '#/host/storage/image-process.ts';
import { temporaryData } from '../../../../testing/run-cli.ts';
import { draw } from '../../../../testing/draw.ts';

const { data } = await draw(40, 30).png().toBuffer({ resolveWithObject: true });
const job: ImageJob = {
  type: 'transform',
  bytes: new Uint8Array(data),
  how: { width: 20, height: null, resize: 'cover', quality: 80, format: 'webp' },
};

class Observed extends ImageProcess {
  readonly children: ChildProcess[] = [];
  protected override fork(seconds?: number): ChildProcess {
    const child = super.fork(seconds);
    this.children.push(child);
    return child;
  }
}

afterEach(() => vi.useRealTimers());

test('an idle process that exits late does not affect the next one’s jobs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const images = new Observed(0);
  expect(await images.run(job)).toHaveProperty('data');
  const [first] = images.children as [ChildProcess];
  // Stops the process with SIGSTOP, as if a busy machine gave it no time to exit.
  first.kill('SIGSTOP');
  vi.advanceTimersByTime(IDLE_MS);
  expect(first.connected).toBe(false);
  const next = images.run(job);
  const second = images.children.at(-1);
  expect(second).not.toBe(first);
  second?.kill('SIGSTOP');
  const gone = once(first, 'exit');
  first.kill('SIGCONT');
  await gone;
  second?.kill('SIGCONT');
  expect(await next).toHaveProperty('data');
  second?.disconnect();
});

test('an image that exceeds its CPU time ends the process, and the next one works', async () => {
  class Strict extends Observed {
    isStrict = true;
    protected override fork(): ChildProcess {
      return super.fork(this.isStrict ? 0 : undefined);
    }
  }
  const images = new Strict(0);
  // A named pipe to which nothing is written, so its decoder never ends.
  const file = path.join(temporaryData(), 'endless');
  execFileSync('mkfifo', [file]);
  await expect(images.run({ type: 'clean', file })).rejects.toThrow(ImageProcessError);
  images.isStrict = false;
  expect(await images.run(job)).toHaveProperty('data');
  images.children.at(-1)?.disconnect();
});
