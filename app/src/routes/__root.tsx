// The root route: what every screen waits for, and the layout around it.
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import {
  LazyErrorScreen,
  LazyNotFoundScreen,
} from '#/features/shell/components/lazy-error-screen.tsx';
import { loadLaterTexts } from '#/i18n/i18n.ts';
import { afterPaint } from '#/core/after-paint.ts';
import { cacheRestored } from '#/data/cache-restored.ts';
import { RootLayout } from '#/screens/layout/root-layout.tsx';

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  beforeLoad: ({ location, cause }) => {
    // The map shows nothing of the cache, and few texts; other screens wait for both.
    const wait = () =>
      location.pathname === '/'
        ? undefined
        : Promise.all([cacheRestored(), loadLaterTexts()]).then(() => undefined);
    // Paint first: a tap shows its effect before the screen that it leads to renders, or is preloaded.
    return cause === 'enter' ? wait() : afterPaint().then(wait);
  },
  component: RootLayout,
  errorComponent: LazyErrorScreen,
  notFoundComponent: LazyNotFoundScreen,
});
