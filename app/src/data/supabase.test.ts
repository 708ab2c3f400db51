// Tests the configuration of the official client.
import { expect, test, vi } from 'vitest';
import { startBrowserOnNode } from '../../testing/browser-on-node.ts';

test('the URL with which the page was opened outlives the code in it', async () => {
  const location = { href: 'http://localhost/email-callback?code=once' };
  vi.stubGlobal('location', location);
  await startBrowserOnNode();
  await import('#/data/supabase.ts');
  // The client removes a used code, maybe before the page that shows the result has been loaded.
  location.href = 'http://localhost/email-callback';
  const { openedUrl } = await import('#/platform/opened-url.ts');
  expect(openedUrl).toContain('code=once');
});

test('its socket sends at most ten events per second', async () => {
  await startBrowserOnNode();
  const { loadClient } = await import('#/data/supabase.ts');
  const { realtime } = await loadClient();
  expect(new URL(realtime.endpointURL()).searchParams.get('eventsPerSecond')).toBe('10');
});
