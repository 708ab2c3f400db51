// Drafts on this device: owner, deletion, and compatibility with older versions.
import { beforeEach, expect, test, vi } from 'vitest';
import { clearDrafts } from '#/entities/drafts/clear-drafts.ts';
import { fitting, readDraft, writeDraft } from '#/entities/drafts/stored-drafts.ts';

/** A storage whose keys are own properties, as in a browser. */
const emptyStorage = () =>
  Object.create({
    getItem(key: string) {
      return (this as unknown as Record<string, string>)[key] ?? null;
    },
    setItem(key: string, text: string) {
      (this as unknown as Record<string, string>)[key] = text;
    },
    removeItem(key: string) {
      Reflect.deleteProperty(this, key);
    },
  }) as Storage;

beforeEach(() => {
  vi.stubGlobal('localStorage', emptyStorage());
  vi.stubGlobal('sessionStorage', emptyStorage());
});

test('deletes only the drafts of the given account', () => {
  writeDraft('dana', 'review/1', { title: 'Shade' });
  writeDraft('dan', 'review/1', { title: 'Sun' });
  writeDraft(null, 'credentials', { email: 'a@b.c' });
  expect([Object.keys(localStorage).length, Object.keys(sessionStorage).length]).toEqual([2, 1]);
  clearDrafts('dan');
  expect(readDraft('dan', 'review/1')).toBeUndefined();
  expect(readDraft('dana', 'review/1')).toEqual({ title: 'Shade' });
  expect(readDraft(null, 'credentials')).toEqual({ email: 'a@b.c' });
});

test('reports a draft as not saved if storage is full', () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  localStorage.setItem = () => {
    throw new DOMException('Full', 'QuotaExceededError');
  };
  expect(writeDraft('dana', 'name', 'Dana')).toBe(false);
});

test('resets a field that an older version stored in another format', () => {
  const shape = { name: '', rank: null as number | null, tags: ['a'], place: { city: 'Haifa' } };
  const stored = { name: 7, rank: 4, tags: 'a,b', place: { city: 'Akko' } };
  expect(fitting(shape, stored)).toEqual({ ...shape, rank: 4, place: { city: 'Akko' } });
  for (const nothing of [undefined, null, 'text', []]) expect(fitting(shape, nothing)).toBe(shape);
});

test('allows a known value to become unknown if the empty form has it unknown', () => {
  expect(fitting({ size: null }, { size: null }, { size: 'small' } as never)).toEqual({
    size: null,
  });
});
