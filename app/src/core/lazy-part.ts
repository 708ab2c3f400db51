// A part of a screen that is downloaded when it is needed; a failed download does not break the screen.
import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';

/**
 * A part whose module cannot be downloaded is drawn as `Fallback` until the page is loaded again.
 * @param Fallback takes the same props; draws nothing unless given
 * @param waiting what stands in its place during the download
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Fallback: ComponentType<Props> = () => null,
  waiting: ReactNode = null,
): ComponentType<Props> {
  const Part = lazy(() =>
    load().catch((error: unknown) => {
      console.warn('A part of the screen cannot be had:', error);
      return { default: Fallback };
    }),
  );
  return (props) => createElement(Suspense, { fallback: waiting }, createElement(Part, props));
}
