// The pop-up closes automatically.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hidePopup, showPopup, usePopup } from '#/ui/popup.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  hidePopup();
  vi.useRealTimers();
});

const Shown = () => createElement('p', null, usePopup()?.text ?? 'nothing');
const shown = () => renderToStaticMarkup(createElement(Shown));

test('it closes after two seconds, and a new one has its own timer', () => {
  showPopup({ text: 'First' });
  vi.advanceTimersByTime(1500);
  showPopup({ text: 'Second' });
  vi.advanceTimersByTime(1999);
  expect(shown()).toBe('<p>Second</p>');
  vi.advanceTimersByTime(1);
  expect(shown()).toBe('<p>nothing</p>');
});
