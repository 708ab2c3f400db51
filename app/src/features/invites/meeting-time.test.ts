// The proposed time of a meeting.
import { expect, it } from 'vitest';
import { nextHalfHour, toLocalInput } from '#/features/invites/meeting-time.ts';

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
