// Starts the app: settings and texts first, then the first screen, then the preloader fades.
import '#/theme/tokens.css';
import '#/theme/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadLanguage, preferredLanguage } from '#/i18n/i18n.ts';
import { loadConfig } from '#/lib/config.ts';
import { queryClient } from '#/lib/query-client.ts';
import { router } from '#/router.tsx';

async function start(root: HTMLElement): Promise<void> {
  await Promise.all([loadConfig(), loadLanguage(preferredLanguage())]);
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
  const preloader = document.getElementById('preloader');
  preloader?.addEventListener('transitionend', () => preloader.remove(), { once: true });
  requestAnimationFrame(() => preloader?.classList.add('done'));
}

const root = document.getElementById('root');
if (root) void start(root);
