// A real S3-compatible server on loopback for tests of several hosts that share one store.
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
// @ts-expect-error: the package brings no types
import S3rver from 's3rver';
import { atEnd } from './at-end.ts';

const Rver = S3rver as new (options: object) => {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: { closeAllConnections(): void };
};

interface S3Server {
  /** Settings with which a host uses this server. */
  environment: Record<string, string>;
  keys(): Promise<string[]>;
  stop(): Promise<void>;
  /** Kills the server, as a power failure would, and starts it again after `meanwhile`. */
  away<T>(meanwhile: () => Promise<T>): Promise<T>;
}

const BUCKET = 'packpark';

export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-s3-'));
  const on = (port: number) =>
    new Rver({
      port,
      address: '127.0.0.1',
      silent: true,
      directory: folder,
      configureBuckets: [{ name: BUCKET }],
    });
  let server = on(0);
  const { port } = await server.run();
  let stopped: Promise<void> | undefined;
  const stop = () =>
    (stopped ??= server.close().then(() => rm(folder, { recursive: true, force: true })));
  atEnd(stop);
  return {
    stop,
    async away(meanwhile) {
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
      const done = await meanwhile();
      server = on(port);
      await server.run();
      return done;
    },
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async keys() {
      const files = await readdir(path.join(folder, BUCKET), { recursive: true });
      return files
        .filter((file) => file.endsWith('_object'))
        .map((file) => file.replace(/\._S3rver_object$/, ''));
    },
  };
}
