// The router: file routes, code splitting, and the shared query client.
import { createRouter } from '@tanstack/react-router';
import {
  LazyErrorScreen,
  LazyNotFoundScreen,
} from '#/features/shell/components/lazy-error-screen.tsx';
import { PendingScreen } from '#/features/shell/components/pending-screen.tsx';
import { queryClient } from '#/data/query-client.ts';
import { createOverlayHistory } from '#/ui/overlays.ts';
import { routeTree } from '#/route-tree.gen.ts';

export const router = createRouter({
  routeTree,
  history: createOverlayHistory(),
  context: { queryClient },
  defaultPreload: 'intent',
  // The query cache decides what is fresh, so the router must not cache.
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: LazyErrorScreen,
  defaultNotFoundComponent: LazyNotFoundScreen,
  defaultPendingComponent: PendingScreen,
  defaultPendingMs: 250,
  scrollRestoration: true,
  trailingSlash: 'preserve',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
