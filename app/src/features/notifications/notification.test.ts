// The unseen list: new ones in front, none twice, never more than 200.
import { expect, it } from 'vitest';
import { addToFront, type AppNotification, targetOf } from './notification.ts';

const one = (id: string, patch: Partial<AppNotification> = {}): AppNotification => ({
  id,
  type: 'friendRequest',
  sender_id: 'somebody',
  title: '',
  app_message: '',
  read_at: null,
  seen_at: null,
  created_at: '2026-11-21T10:00:00Z',
  data: {},
  sender: null,
  ...patch,
});

it('addToFront: puts the new one first', () => {
  expect(addToFront([one('a')], one('b')).map(({ id }) => id)).toEqual(['b', 'a']);
});
it('addToFront: keeps one of two with the same id: the newer', () => {
  const list = addToFront([one('a'), one('b')], one('b', { title: 'again' }));
  expect(list.map(({ id, title }) => [id, title])).toEqual([
    ['b', 'again'],
    ['a', ''],
  ]);
});
it('addToFront: drops the oldest above 200', () => {
  const full = Array.from({ length: 200 }, (_, index) => one(String(index)));
  const list = addToFront(full, one('new'));
  expect(list).toHaveLength(200);
  expect(list.at(-1)?.id).toBe('198');
});

it('targetOf: leads to what the data names, else to the sender', () => {
  expect(targetOf(one('a', { type: 'parkInvite', data: { park_id: 7 } }))).toBe('/parks/7');
  expect(targetOf(one('a'))).toBe('/profile/somebody');
});
