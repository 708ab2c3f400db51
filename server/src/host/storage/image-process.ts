// Manages the process that decodes images. It is started for the first job, and ended when idle to free its memory.
import { fork, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { claimBuild } from '#/host/lib/builds.ts';
import type { ImageJob, ImageResult } from '#/host/storage/image-job.ts';

/** The built script. Tests use the build too, because Node does not run TypeScript. */
const SCRIPT = path.join(claimBuild('server'), 'image-process-main.mjs');
/** Starting the process takes a fifth of a second, so it keeps running while the images of one page are requested. */
export const IDLE_MS = 10_000;
/**
 * Maximum CPU seconds per image, against decoders that never finish. It includes the time of concurrent images and is far more than
 * any allowed image needs. A wall-clock timeout would abort images on a busy machine, and clients would upload them again.
 */
const JOB_SECONDS = 60 * os.availableParallelism();
/** Timeout for decoders that wait forever without using CPU time. */
const JOB_MS = 600_000;

/** The process ended without a result: a decoder crashed or hung. */
export class ImageProcessError extends Error {}

interface Pending {
  resolve(result: ImageResult): void;
  reject(error: Error): void;
}

/** A process and its jobs. A process that is ending may still exist when its successor works. */
interface Running {
  child: ChildProcess;
  pending: Map<number, Pending>;
}

export class ImageProcess {
  readonly #niceness: number;
  #running: Running | null = null;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param niceness as in the operating system, from 0 (same priority as requests) to 19 (lowest) */
  constructor(niceness: number) {
    this.#niceness = niceness;
  }

  /**
   * Runs a job in the process, which is started if necessary.
   * @throws ImageProcessError
   */
  async run(job: ImageJob): Promise<ImageResult> {
    clearTimeout(this.#idle);
    const running = (this.#running ??= this.#start());
    const { child, pending } = running;
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
      if (pending.size === 0 && this.#running === running) {
        this.#idle = setTimeout(() => this.#end(running), IDLE_MS);
        this.#idle.unref();
      }
    }
  }

  /** @param seconds CPU time per job */
  protected fork(seconds = JOB_SECONDS): ChildProcess {
    return fork(SCRIPT, [String(this.#niceness), String(seconds)], {
      serialization: 'advanced',
      execArgv: [],
      // One heap for all threads. Otherwise each thread of libvips would retain the memory of its largest image.
      env: {
        PATH: process.env.PATH,
        MALLOC_ARENA_MAX: '1',
        // Large blocks are returned to the system immediately. Otherwise this threshold would rise to the size of the largest freed
        // block.
        MALLOC_MMAP_THRESHOLD_: '1048576',
        MALLOC_TRIM_THRESHOLD_: '1048576',
      },
    });
  }

  #start(): Running {
    const child = this.fork();
    const running: Running = { child, pending: new Map() };
    const fail = (reason: string) => {
      if (this.#running === running) this.#running = null;
      for (const { reject } of running.pending.values()) reject(new ImageProcessError(reason));
    };
    child.on('message', ({ id, result }: { id: number; result: ImageResult }) =>
      running.pending.get(id)?.resolve(result),
    );
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => fail(`The image process ended with ${code ?? signal}`));
    // The host may exit while this process exists, because every image belongs to a request that keeps the host running.
    child.unref();
    child.channel?.unref();
    return running;
  }

  #end(running: Running): void {
    this.#running = null;
    if (running.child.connected) running.child.disconnect();
  }
}
