// Failures that come by the thousand are one line for each cause and minute, with a count.
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '#/host/lib/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A log, and the lines that it has written. */
function startLog() {
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

test('of 7036 failures of one cause the first is written at once, and the others counted after a minute', () => {
  const { log, lines } = startLog();
  for (let request = 0; request < 7036; request += 1)
    log.error({ id: request, error: 'connect ECONNREFUSED' }, 'the database cannot be reached');
  log.error({ id: 'x', error: 'Connection terminated' }, 'the database cannot be reached');
  log.warn({ job: 'send-push', error: 'It failed' }, 'a job failed');
  log.warn({ job: 'send-mail', error: 'It failed' }, 'a job failed');
  expect(lines.map(({ id, job }) => id ?? job)).toEqual([0, 'x', 'send-push', 'send-mail']);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(4)).toMatchObject([
    { id: 7035, repeated: 7035, error: 'connect ECONNREFUSED' },
  ]);
  log.error({ error: 'connect ECONNREFUSED' }, 'the database cannot be reached');
  expect(lines).toHaveLength(6);
});

test('what is no failure is written each time', () => {
  const { log, lines } = startLog();
  for (let request = 0; request < 3; request += 1) log.info({ path: '/parks' }, 'request');
  expect(lines).toHaveLength(3);
});
