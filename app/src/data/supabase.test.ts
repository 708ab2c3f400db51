// How the official client is set up.
import { expect, test } from 'vitest';
import { startBrowserOnNode } from '../../testing/browser-on-node.ts';

test('its socket asks for ten events a second at most', async () => {
  await startBrowserOnNode();
  const { loadClient } = await import('#/data/supabase.ts');
  const { realtime } = await loadClient();
  expect(new URL(realtime.endpointURL()).searchParams.get('eventsPerSecond')).toBe('10');
});
