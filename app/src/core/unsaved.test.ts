// The browser confirms leaving the page only while a form has unsaved input.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hasUnsaved, holdUnsaved, unsavedForms } from '#/core/unsaved.ts';

const page = new EventTarget();
beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => vi.unstubAllGlobals());

const confirms = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('the browser confirms leaving until the last of two forms is submitted', () => {
  expect(confirms()).toBe(false);
  const [first, second] = [holdUnsaved(), holdUnsaved()];
  expect([confirms(), hasUnsaved()]).toEqual([true, true]);
  first();
  first();
  expect([confirms(), hasUnsaved()]).toEqual([true, true]);
  second();
  expect([confirms(), hasUnsaved()]).toEqual([false, false]);
});

test('input saved on the device needs no confirmation, but counts as unsaved', () => {
  const end = holdUnsaved(true);
  expect([confirms(), hasUnsaved(), unsavedForms()]).toEqual([false, false, 1]);
  end();
  expect(unsavedForms()).toBe(0);
});
