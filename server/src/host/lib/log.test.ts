// Tests that thousands of equal failures are logged as one line per cause and minute, with a count.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLog } from '../../../../testing/log-lines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('of 7036 failures with one cause the first is logged immediately, and the others are counted after a minute', () => {
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

test('each rejected request has its own line, so that its ID can be found', () => {
  const { log, lines } = startLog();
  for (let id = 0; id < 3; id += 1) log.warn({ id, path: '/rest/v1', status: 403 }, 'request');
  expect(lines.map(({ id }) => id)).toEqual([0, 1, 2]);
});

test('messages that are not failures are always logged', () => {
  const { log, lines } = startLog();
  for (let request = 0; request < 3; request += 1) log.info({ path: '/parks' }, 'request');
  expect(lines).toHaveLength(3);
});
