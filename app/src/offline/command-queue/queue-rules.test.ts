// Tests which commands are replaced in the queue, and which command is sent next.
import { expect, test } from 'vitest';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';
import { added, nextToSend, withoutSent } from '#/offline/command-queue/queue-rules.ts';

const queued = (id: string, part: Partial<QueuedCommand> = {}): QueuedCommand => ({
  id,
  userId: 'me',
  command: 'set_favourite',
  input: 'one park',
  hasFile: false,
  queuedAt: 0,
  rejection: null,
  ...part,
});

const replacing = { replaces: (input: unknown, before: unknown) => input === before };

test('a new command: is ignored if its key is already in the queue', () => {
  expect(added([queued('a')], queued('a'), {})).toHaveLength(1);
});

test('a new command: replaces queued commands of the same name and user', () => {
  const elsewhere = queued('b', { input: 'another park' });
  const theirs = queued('c', { userId: 'them' });
  const review = queued('d', { command: 'save_review' });
  const last = queued('e');
  expect(added([queued('a'), elsewhere, theirs, review], last, replacing)).toEqual([
    elsewhere,
    theirs,
    review,
    last,
  ]);
});

test('a new command: is ignored as a duplicate of the last one, unless its rules allow it or another command came between', () => {
  const [one, again] = [queued('a'), queued('b')];
  const other = queued('c', { input: 'another park' });
  expect(added([one], again, {})).toEqual([one]);
  expect(added([one], again, { replaces: () => false })).toEqual([one, again]);
  expect(added([one, other], again, {})).toEqual([one, other, again]);
  const rejected = queued('a', { rejection: 'errors.generic' });
  expect(added([rejected], again, {})).toEqual([rejected, again]);
});

const first = queued('a');
const marked = { afterSent: (later: unknown, done: unknown) => [later, 'after', done] };

test('a sent command: leaves the queue, and adapts later ones of the same name and user', () => {
  const later = queued('b', { input: 'later' });
  const theirs = queued('c', { userId: 'them' });
  const visit = queued('d', { command: 'check_in' });
  expect(withoutSent([first, later, theirs, visit], first, marked)).toEqual([
    { ...later, input: ['later', 'after', 'one park'] },
    theirs,
    visit,
  ]);
});

test('a sent command: without a rule leaves later ones unchanged', () => {
  const later = queued('b');
  expect(withoutSent([first, later], first, {})).toEqual([later]);
});

const photo = queued('a', { command: 'park_photo', hasFile: true });
const rejected = queued('b', { command: 'check_out', rejection: 'errors.generic' });

test('the next command: is the oldest, and a file only if nothing else is left', () => {
  const visit = queued('c', { command: 'check_in' });
  expect(nextToSend([photo, rejected, visit, queued('d')])).toBe(visit);
  expect(nextToSend([photo, rejected])).toBe(photo);
  expect(nextToSend([rejected])).toBeUndefined();
});
