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

const MAX_RETRIES = 3;
const RETRY_PAUSE_MS = 1000;

/** Shows `Fallback` if the module cannot be downloaded, and retries when the device comes online. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Fallback: ComponentType<Props> = () => null,
  waiting: ReactNode = null,
): FunctionComponent<Props> {
  let failed = false;
  /** Set when the device comes online, because downloads may still fail for a moment. */
  let retriesLeft = 0;
  const make = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        console.warn('A part of the screen cannot be loaded:', error);
        failed = true;
        if (retriesLeft > 0) {
          retriesLeft -= 1;
          setTimeout(retry, RETRY_PAUSE_MS);
        }
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
    retriesLeft = MAX_RETRIES;
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
