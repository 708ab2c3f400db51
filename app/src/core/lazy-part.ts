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
  /** True after the device came online: a download that began offline may fail later, and is then retried once. */
  let mayRetry = false;
  const make = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        console.warn('A part of the screen cannot be loaded:', error);
        failed = true;
        if (mayRetry) queueMicrotask(retry);
        mayRetry = false;
        return { default: Fallback };
      }),
    );
  const part = createStore<ComponentType<Props>>(make());
  function retry(): void {
    if (!failed) return;
    failed = false;
    part.set(make());
  }
  const onOnline = () => {
    mayRetry = true;
    retry();
  };
  return function Part(props) {
    useEffect(() => {
      addEventListener('online', onOnline);
      return () => removeEventListener('online', onOnline);
    }, []);
    return createElement(Suspense, { fallback: waiting }, createElement(useStore(part), props));
  };
}
