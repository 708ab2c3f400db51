// Outlines of parks from their sources. Each is cached separately, because the map requests those that are visible.
import type { Outline } from '#/core/outline.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import { request } from '#/data/request.ts';

/** Parks known to have no outline. Remembered for this page load, so that map movements do not request them again. */
const withoutOutline = new Set<number>();

/** Returns undefined for a park without an outline and before the outline was fetched. */
export const knownOutline = (parkId: number): Outline | undefined =>
  queryClient.getQueryData<Outline>(parkKeys.outline(parkId));

/** Fetches missing outlines; cached ones are available offline. */
export async function fetchOutlines(parkIds: readonly number[]): Promise<void> {
  const missing = parkIds.filter((id) => !withoutOutline.has(id) && knownOutline(id) === undefined);
  if (missing.length === 0) return;
  const rows = await request((client) =>
    client.from('parks').select('id,outline').in('id', missing).not('outline', 'is', null),
  );
  for (const { id, outline } of rows) queryClient.setQueryData(parkKeys.outline(id), outline);
  for (const id of missing) if (knownOutline(id) === undefined) withoutOutline.add(id);
}
