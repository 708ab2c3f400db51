// Tests that the current visit follows from the server's response, the unsent commands and the time.
import { expect, it, vi } from 'vitest';
import { command as checkIn } from '#/features/check-ins/commands/check-in.command.ts';
import { command as checkOut } from '#/features/check-ins/commands/check-out.command.ts';
import { command as extendStay } from '#/features/check-ins/commands/extend-stay.command.ts';
import { dogsMoved, myVisit } from '#/features/check-ins/my-visit.ts';
import type { AnyCommand, Command } from '#/offline/command-queue/define-command.ts';
import type { UnsentCommand } from '#/offline/command-queue/unsent-commands.ts';

// The modules of the commands read these globals when they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('addEventListener', () => undefined);
});

const MINUTE = 60_000;
const at = (minutes: number) => new Date(minutes * MINUTE).toISOString();
const known = {
  check_in_id: 'known',
  park_id: 1,
  park_name: 'Known',
  started_at: at(0),
  expires_at: at(60),
  dog_count: 2,
  counted: true,
  type: 'visit' as const,
  arrives_at: null,
};
const plan = { ...known, type: 'plan' as const, arrives_at: at(45) };
const queued = <Input, Response>(
  command: Command<Input, Response>,
  id: string,
  input: object,
): UnsentCommand => ({
  id,
  command: command as AnyCommand,
  input,
  at: 10 * MINUTE,
  isQueued: true,
});
const enter = (id: string, parkId: number, more: object = {}) => {
  const input = { parkId, parkName: `Park ${parkId}`, dogIds: ['rex'], stayMinutes: 30, ...more };
  return queued(checkIn, id, { switch: false, ...input });
};
const leave = (visitId: string) => queued(checkOut, `leave ${visitId}`, { visitId, parkId: 1 });
const undo = (visitId: string) =>
  queued(checkOut, `undo ${visitId}`, { visitId, parkId: 1, undo: true });
const stretch = (visitId: string, minutes: number) =>
  queued(extendStay, `extend ${visitId}`, { visitId, parkId: 1, minutes });

/** The ID of the visit, the minute at which it ends, and whether it is queued. */
type Where = [visit: string, until: number, isQueued: boolean] | null | undefined;

it.each<
  [
    string,
    typeof known | typeof plan | null | undefined,
    ReturnType<typeof queued>[],
    number,
    Where,
  ]
>([
  ['nothing is known', undefined, [], 20, undefined],
  ['nowhere', null, [], 20, null],
  ['where the server says', known, [], 20, ['known', 60, false]],
  ['a visit whose time has passed', known, [], 60, null],
  ['a queued check-in', null, [enter('a', 2)], 20, ['a', 40, true]],
  ['one that is queued before the first response', undefined, [enter('a', 2)], 20, ['a', 40, true]],
  ['one that has been queued for too long', null, [enter('a', 2)], 41, null],
  ['a second one at the same park', null, [enter('a', 2), enter('b', 2)], 20, ['a', 40, true]],
  ['a check-in elsewhere that asks first', known, [enter('a', 2)], 20, ['known', 60, false]],
  ['a switch', known, [enter('a', 2, { switch: true })], 20, ['a', 40, true]],
  [
    'a switch that is undone',
    known,
    [enter('a', 2, { switch: true }), undo('a')],
    20,
    ['known', 60, false],
  ],
  ['a queued check-out', known, [leave('known')], 20, null],
  ['a check-out of another visit', known, [leave('before')], 20, ['known', 60, false]],
  [
    'one check-in that expired in the queue, and one after it',
    null,
    [enter('a', 1, { stayMinutes: 5 }), enter('b', 2)],
    20,
    ['b', 40, true],
  ],
  ['in and out', null, [enter('a', 2), leave('a')], 20, null],
  ['out by the name of a second check-in', known, [enter('a', 1), leave('a')], 20, null],
  ['out here, in there', known, [leave('known'), enter('a', 2)], 20, ['a', 40, true]],
  ['out of the one before', null, [enter('a', 2), leave('known')], 20, ['a', 40, true]],
  ['a user on the way', null, [enter('a', 2, { arrivesIn: 20 })], 20, ['a', 45, true]],
  ['a check-in that ends a plan', plan, [enter('a', 1), undo('a')], 20, null],
  [
    'a plan that ends a visit',
    known,
    [enter('a', 2, { arrivesIn: 5, switch: true }), undo('a')],
    20,
    null,
  ],
  ['longer', known, [stretch('known', 30)], 20, ['known', 90, true]],
  ['four hours at most', known, [stretch('known', 500)], 20, ['known', 240, true]],
  ['longer, of another visit', known, [stretch('before', 30)], 20, ['known', 60, false]],
  ['longer, of a queued one', null, [enter('a', 2), stretch('a', 30)], 20, ['a', 70, true]],
  [
    'another command',
    known,
    [queued({ ...checkOut, apply: () => [] }, 'r', { visitId: 'known' })],
    20,
    ['known', 60, false],
  ],
])('%s', (_name, answer, queue, minute, where) => {
  const visit = myVisit(answer, queue, minute * MINUTE);
  const until = visit && Date.parse(visit.expires_at) / MINUTE;
  expect(visit && [visit.check_in_id, until, visit.isQueued ?? false]).toEqual(where);
});

it('a queued announcement keeps its arrival time, and expires at that time', () => {
  const input = {
    parkId: 2,
    parkName: '',
    dogIds: [],
    stayMinutes: 20,
    arrivesIn: 20,
    switch: false,
  };
  const after = (minutes: number) => checkIn.queue?.adjustForDelay?.(input, minutes * MINUTE);
  expect(after(8)).toEqual({ ...input, arrivesIn: 12 });
  expect(after(20)).toBeNull();
});

const there = (park_id: number, dog_count: number, counted = true) => ({
  ...known,
  park_id,
  dog_count,
  counted,
});

it.each([
  ['nowhere', null, null, {}],
  ['gone', there(1, 2), null, { 1: -2 }],
  ['come', null, there(1, 2), { 1: 2 }],
  ['elsewhere', there(1, 2), there(2, 3), { 1: -2, 2: 3 }],
  ['here with fewer dogs', there(1, 2), there(1, 1), { 1: -1 }],
  ['gone, and never in the numbers', there(1, 2, false), null, {}],
])('where the numbers of dogs are others than the server’s: %s', (_name, answer, visit, moved) => {
  expect(dogsMoved(answer, visit)).toEqual(moved);
});
