// Tests which errors are reported to the host.
import { beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#/core/app-error.ts';
import { toAppError } from '#/i18n/errors.ts';
import { reportError } from './report-errors.ts';

const rpc = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('#/data/supabase.ts', () => ({ supabase: () => Promise.resolve({ rpc }) }));

beforeEach(() => rpc.mockReset());

const failed = { name: 'FunctionsHttpError', context: { status: 503 } };

test.each([
  ['a response', failed, 0],
  ['a response that a screen shows', toAppError(failed), 0],
  ['a message of its own', new AppError('errors.too_many', 429), 0],
  ['a fault of the app', new RangeError('Invalid time value'), 1],
  ['a fault of the app that a screen shows', toAppError(new TypeError('x is undefined')), 1],
])('%s', async (_, error, reports) => {
  reportError(error);
  await Promise.resolve();
  expect(rpc).toHaveBeenCalledTimes(reports);
});
