// Sets a CSS custom property to the height of a fixed element, so that the page can leave room for it.
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** @param gap CSS length that is added to the height */
export function useHeightProperty<E extends HTMLElement>(
  property: `--${string}`,
  gap = '0px',
): RefObject<E | null> {
  const ref = useRef<E>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(property, `calc(${String(ref.current?.offsetHeight ?? 0)}px + ${gap})`);
    });
    if (ref.current) observer.observe(ref.current);
    return () => {
      observer.disconnect();
      style.removeProperty(property);
    };
  }, [property, gap]);
  return ref;
}
