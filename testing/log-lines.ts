// A log whose lines a test can read.
import { Writable } from 'node:stream';
import { createLog } from '#/host/lib/log.ts';

/** A log and its lines so far: `msg` and the fields of each. */
export function startLog() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog(
    'info',
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
        done();
      },
    }),
  );
  return { log, lines };
}
