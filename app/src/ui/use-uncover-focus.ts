// Keeps floating elements from covering the element that has the keyboard focus (WCAG 2.4.11).
import { type RefObject, useEffect, useLayoutEffect } from 'react';

/**
 * Moves a floating element to the other end of the screen (`data-end="other"`) or back if it would cover the focused element: after
 * each render, focus change, scroll or resize.
 * @param container the element's parent; a new one resets the position
 */
export function useUncoverFocus(ref: RefObject<HTMLElement | null>, container: HTMLElement): void {
  useLayoutEffect(() => {
    if (ref.current) uncoverFocus(ref.current);
  });

  useEffect(() => {
    const look = () => {
      if (ref.current) uncoverFocus(ref.current);
    };
    // Observe sizes, because a sheet grows when its content has loaded.
    const sizes = new ResizeObserver(look);
    sizes.observe(container);
    document.addEventListener('focusin', look);
    document.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      sizes.disconnect();
      document.removeEventListener('focusin', look);
      document.removeEventListener('scroll', look, { capture: true });
    };
  }, [ref, container]);
}

function uncoverFocus(floating: HTMLElement): void {
  const active = document.activeElement;
  const focused = active?.matches(':focus-visible') && !floating.contains(active) ? active : null;
  // Return before measuring, because that would force a layout in the middle of the first render.
  if (!focused && !floating.dataset.end) return;
  const over = floating.getBoundingClientRect();
  if (over.height === 0) {
    delete floating.dataset.end;
    return;
  }
  if (!focused) return;
  const under = focused.getBoundingClientRect();
  if (over.top >= under.bottom || under.top >= over.bottom) return;
  if (floating.dataset.end === 'other') delete floating.dataset.end;
  else floating.dataset.end = 'other';
}
