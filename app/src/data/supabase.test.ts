// Tests the configuration of the official client.
import { expect, test } from 'vitest';
import { startBrowserOnNode } from '../../testing/browser-on-node.ts';

test('its socket sends at most ten events per second', async () => {
  await startBrowserOnNode();
  const { loadClient } = await import('#/data/supabase.ts');
  const { realtime } = await loadClient();
  expect(new URL(realtime.endpointURL()).searchParams.get('eventsPerSecond')).toBe('10');
});
