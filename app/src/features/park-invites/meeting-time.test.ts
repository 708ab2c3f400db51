// The proposed time of a meeting.
import { expect, it } from 'vitest';
import { nextHalfHour, timeProblem, toLocalInput } from '#/features/park-invites/meeting-time.ts';

it('proposes the next half hour, not one that is about to pass', () => {
  const at = (text: string) => nextHalfHour(new Date(text)).toISOString().slice(11, 16);
  expect(at('2026-05-01T10:05:00Z')).toBe('10:30');
  expect(at('2026-05-01T10:20:00Z')).toBe('10:30');
  expect(at('2026-05-01T10:25:00Z')).toBe('11:00');
});

it('writes what a datetime-local field reads back as the same moment', () => {
  const moment = new Date('2026-05-01T10:30:00Z');
  expect(new Date(toLocalInput(moment)).getTime()).toBe(moment.getTime());
});

it('takes a time to come, at most 30 days away', () => {
  const now = new Date('2026-05-01T10:30:00');
  const problem = (typed: string) => timeProblem(typed, now);
  expect(['2026-05-01T10:31', '2026-05-31T10:30'].map(problem)).toEqual([null, null]);
  expect(['', '2026-05-01T10:29', '2020-01-01T10:00'].map(problem)).toEqual(
    Array(3).fill('parkInvites.form.timeMissing'),
  );
  expect(problem('2026-05-31T10:31')).toBe('parkInvites.form.badTime');
});
