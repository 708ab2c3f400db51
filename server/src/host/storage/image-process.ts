// The process that decodes pictures: started when there is work and ended when there is none, so that its memory goes back.
import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { ROOT } from '#/host/lib/paths.ts';
import type { ImageJob, ImageResult } from '#/host/storage/image-job.ts';

/** As built, also for tests: Node runs no TypeScript by itself. */
const SCRIPT = path.join(ROOT, 'server/dist/image-worker.mjs');
/** Starting it takes a fifth of a second: between the pictures of one page it stays. */
const IDLE_MS = 10_000;
/** Far more than any allowed picture takes: against decoders that hang. */
const JOB_MS = 60_000;

/** The process ended before it answered: a decoder crashed or hung. */
export class ImageProcessError extends Error {}

interface Pending {
  resolve(result: ImageResult): void;
  reject(error: Error): void;
}

export class ImageProcess {
  readonly #niceness: number;
  #child: ChildProcess | null = null;
  #pending = new Map<number, Pending>();
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param niceness as the system counts it: with 0 it competes with requests, with 19 it gives way to everything */
  constructor(niceness: number) {
    this.#niceness = niceness;
  }

  /** Does a job in the process, starting it where none runs. @throws ImageProcessError */
  async run(job: ImageJob): Promise<ImageResult> {
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    const pending = this.#pending;
    const id = (this.#lastId += 1);
    const hung = setTimeout(() => child.kill('SIGKILL'), JOB_MS);
    try {
      return await new Promise<ImageResult>((resolve, reject) => {
        pending.set(id, { resolve, reject });
        child.send({ id, job }, (error) => {
          if (error) reject(new ImageProcessError(error.message));
        });
      });
    } finally {
      clearTimeout(hung);
      pending.delete(id);
      if (pending.size === 0 && this.#child === child) {
        this.#idle = setTimeout(() => this.#end(child), IDLE_MS);
        this.#idle.unref();
      }
    }
  }

  #start(): ChildProcess {
    const child = fork(SCRIPT, [String(this.#niceness)], {
      serialization: 'advanced',
      execArgv: [],
      // One heap for all threads: otherwise each thread of libvips keeps what its largest picture took.
      env: {
        PATH: process.env.PATH,
        MALLOC_ARENA_MAX: '1',
        // Large blocks go back at once: otherwise the bound above which they do rises with the largest that was freed.
        MALLOC_MMAP_THRESHOLD_: '1048576',
        MALLOC_TRIM_THRESHOLD_: '1048576',
      },
    });
    const pending = this.#pending;
    const fail = (reason: string) => {
      if (this.#child === child) {
        this.#child = null;
        this.#pending = new Map();
      }
      for (const { reject } of pending.values()) reject(new ImageProcessError(reason));
    };
    child.on('message', ({ id, result }: { id: number; result: ImageResult }) =>
      pending.get(id)?.resolve(result),
    );
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => fail(`The image process ended with ${code ?? signal}`));
    // A picture is always somebody's request: this process alone keeps nothing running.
    child.unref();
    child.channel?.unref();
    return child;
  }

  #end(child: ChildProcess): void {
    this.#child = null;
    if (child.connected) child.disconnect();
  }
}
