// Lazy components: a failed download does not break the screen.
import {
  type ComponentType,
  createElement,
  type FunctionComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
} from 'react';
import { createStore, useStore } from '#/core/store.ts';

/** Shows `Fallback` if the module cannot be downloaded, and retries once the device is online. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Fallback: ComponentType<Props> = () => null,
  waiting: ReactNode = null,
): FunctionComponent<Props> {
  let failed = false;
  const make = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        console.warn('A part of the screen cannot be had:', error);
        failed = true;
        return { default: Fallback };
      }),
    );
  const part = createStore<ComponentType<Props>>(make());
  const again = () => {
    if (!failed) return;
    failed = false;
    part.set(make());
  };
  return function Part(props) {
    useEffect(() => {
      addEventListener('online', again);
      return () => removeEventListener('online', again);
    }, []);
    return createElement(Suspense, { fallback: waiting }, createElement(useStore(part), props));
  };
}
