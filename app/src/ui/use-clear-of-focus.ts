// Keeps what floats over the page off the element that has the keyboard's focus (WCAG 2.4.11).
import { type RefObject, useEffect, useLayoutEffect } from 'react';

/**
 * Sends a floating element to the other end of the screen, `data-end="top"` or back, when it would cover the focus.
 * @param shown changes whenever the floating element may have changed its size
 */
export function useClearOfFocus(ref: RefObject<HTMLElement | null>, shown: unknown): void {
  useLayoutEffect(() => {
    if (ref.current) standClear(ref.current);
  }, [ref, shown]);

  useEffect(() => {
    const look = () => {
      if (ref.current) standClear(ref.current);
    };
    document.addEventListener('focusin', look);
    document.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('scroll', look, { capture: true });
    };
  }, [ref]);
}

function standClear(floating: HTMLElement): void {
  const over = floating.getBoundingClientRect();
  if (over.height === 0) {
    delete floating.dataset.end;
    return;
  }
  const focused = document.activeElement;
  if (!focused?.matches(':focus-visible') || floating.contains(focused)) return;
  const under = focused.getBoundingClientRect();
  if (over.top >= under.bottom || under.top >= over.bottom) return;
  if (floating.dataset.end === 'top') delete floating.dataset.end;
  else floating.dataset.end = 'top';
}
