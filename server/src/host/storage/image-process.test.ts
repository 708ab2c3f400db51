// The life of the process that decodes pictures: none of its jobs is lost when it ends, or when it computes for ever.
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
  kind: 'transform',
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

test('a process that was idle and goes late takes no picture of the next one with it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const images = new Observed(0);
  expect(await images.run(job)).toHaveProperty('data');
  const [first] = images.children as [ChildProcess];
  // A busy machine: it is told to end and has no time for it.
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

test('a picture that takes more of the processor than any may ends the process, and the next one works', async () => {
  class Strict extends Observed {
    isStrict = true;
    protected override fork(): ChildProcess {
      return super.fork(this.isStrict ? 0 : undefined);
    }
  }
  const images = new Strict(0);
  // Nobody ever writes into this pipe, so that its decoder never ends.
  const file = path.join(temporaryData(), 'endless');
  execFileSync('mkfifo', [file]);
  await expect(images.run({ kind: 'clean', file })).rejects.toThrow(ImageProcessError);
  images.isStrict = false;
  expect(await images.run(job)).toHaveProperty('data');
  images.children.at(-1)?.disconnect();
});
