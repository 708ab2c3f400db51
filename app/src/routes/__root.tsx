// The root route, which loads what all screens need and renders the layout around them.
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import {
  LazyErrorScreen,
  LazyNotFoundScreen,
} from '#/features/shell/components/lazy-error-screen.tsx';
import { loadLazyMessages } from '#/i18n/i18n.ts';
import { afterPaint } from '#/core/after-paint.ts';
import { cacheRestored } from '#/data/cache-restored.ts';
import { RootLayout } from '#/screens/layout/root-layout.tsx';

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  beforeLoad: ({ location, cause }) => {
    // The map needs neither the persisted cache nor the lazy messages; other screens wait for both.
    const wait = () =>
      location.pathname === '/'
        ? undefined
        : Promise.all([cacheRestored(), loadLazyMessages()]).then(() => undefined);
    // Let the browser paint first, so that a tap shows its effect before the next screen is rendered or preloaded.
    return cause === 'enter' ? wait() : afterPaint().then(wait);
  },
  component: RootLayout,
  errorComponent: LazyErrorScreen,
  notFoundComponent: LazyNotFoundScreen,
});
