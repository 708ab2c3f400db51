// Tests that the user attends a meeting only if they host it or have accepted.
import { expect, it } from 'vitest';
import { hourOfMeeting } from '#/features/park-invites/going.ts';
import type { Meeting } from '#/features/park-invites/queries/meetings.ts';

/** 09:00 in the parks' time zone. */
const NOW = new Date('2026-05-02T06:00:00Z');
const WEEKLY = { pack_time_id: 'p', invite_id: null };
const INVITED = { pack_time_id: null, invite_id: 'i' };

it.each([
  ['a meeting that the user hosts', { pack_time_id: null, invite_id: null, status: null }, 18],
  ['an accepted invite', { ...INVITED, status: 'accepted' }, 18],
  ['an invite without a response', { ...INVITED, status: 'pending' }, null],
  ['a declined invite', { ...INVITED, status: 'declined' }, null],
  ['a weekly meeting', { ...WEEKLY, status: 'accepted' }, 18],
  ['a skipped weekly meeting', { ...WEEKLY, status: 'declined' }, null],
] as const)('%s', (_which, type, hour) => {
  const meeting = { ...type, park_id: 7, meet_at: '2026-05-02T15:00:00Z' } as Meeting;
  expect(hourOfMeeting([meeting], 7, NOW)).toBe(hour);
  expect(hourOfMeeting([meeting], 8, NOW)).toBeNull();
});

it('a meeting whose time has passed is skipped', () => {
  const at = (meet_at: string) => ({ ...INVITED, status: null, park_id: 7, meet_at }) as Meeting;
  const past = at('2026-05-02T05:30:00Z');
  expect(hourOfMeeting([past], 7, NOW)).toBeNull();
  expect(hourOfMeeting([past, at('2026-05-02T08:00:00Z')], 7, NOW)).toBe(11);
});
