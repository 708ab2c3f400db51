// Tells the page how high something fixed is, in a custom property, so that nothing lies below it.
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** @param gap what it leaves free beside it, as CSS */
export function useTellHeight<E extends HTMLElement>(
  property: `--${string}`,
  gap = '0px',
): RefObject<E | null> {
  const ref = useRef<E>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => {
      style.setProperty(property, `calc(${String(ref.current?.offsetHeight ?? 0)}px + ${gap})`);
    });
    if (ref.current) sizes.observe(ref.current);
    return () => {
      sizes.disconnect();
      style.removeProperty(property);
    };
  }, [property, gap]);
  return ref;
}
