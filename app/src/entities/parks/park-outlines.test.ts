// Outlines of parks are fetched once, and again after the cache was cleared.
import { expect, test } from 'vitest';
import { startBrowserOnNode } from '../../../testing/browser-on-node.ts';

const browser = await startBrowserOnNode({ withWindow: true });

const OUTLINE = {
  type: 'Polygon',
  coordinates: [
    [
      [34, 32],
      [35, 32],
      [35, 33],
      [34, 32],
    ],
  ],
};

test('fetches an outline once, and again after a login has cleared the cache', async () => {
  const { fetchOutlines, knownOutline } = await import('#/entities/parks/park-outlines.ts');
  const { clearPersonalData } = await import('#/data/session/session.ts');
  const requests = () =>
    browser.requests.map((line) => new URLSearchParams(line.split('?')[1]).get('id'));
  browser.respond(() => [200, [{ id: 1, outline: OUTLINE }]]);
  await fetchOutlines([1, 2]);
  await fetchOutlines([1, 2]);
  expect(knownOutline(1)).toEqual(OUTLINE);
  expect(requests()).toEqual(['in.(1,2)']);
  clearPersonalData();
  expect(knownOutline(1)).toBeUndefined();
  await fetchOutlines([1, 2]);
  expect(knownOutline(1)).toEqual(OUTLINE);
  expect(requests()).toEqual(['in.(1,2)', 'in.(1)']);
});
