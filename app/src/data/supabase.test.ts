// How the official client is set up.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowserOnNode, type BrowserOnNode } from '../../testing/browser-on-node.ts';

let browser: BrowserOnNode;
beforeAll(async () => {
  browser = await startBrowserOnNode();
});
afterAll(() => browser.close());

test('its socket asks for ten events a second at most', async () => {
  const { loadClient } = await import('#/data/supabase.ts');
  const { realtime } = await loadClient();
  expect(new URL(realtime.endpointURL()).searchParams.get('eventsPerSecond')).toBe('10');
});
