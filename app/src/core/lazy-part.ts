// A part of a screen that is downloaded when it is needed; a failed download does not break the screen.
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

/**
 * React.lazy, but a module that cannot be downloaded is drawn as `Fallback` until the page is loaded again.
 * @param Fallback takes the same props; draws nothing unless given
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Fallback: ComponentType<Props> = () => null,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().catch((error: unknown) => {
      console.warn('A part of the screen cannot be had:', error);
      return { default: Fallback };
    }),
  );
}
