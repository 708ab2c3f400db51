// The outlines of parks, as their source draws them: each is cached for itself, for the map asks for whatever it shows.
import type { Outline } from '#/core/outline.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { queryClient } from '#/data/query-client.ts';
import { request } from '#/data/request.ts';

/** Of this visit: most parks have none, which is no reason to ask again at each movement. */
const withoutOutline = new Set<number>();

/** Undefined for a park without one, or that was not asked for yet. */
export const knownOutline = (parkId: number): Outline | undefined =>
  queryClient.getQueryData<Outline>(parkKeys.outline(parkId));

/** Fetches the outlines that are not known yet; those of parks that were seen are known without a network. */
export async function fetchOutlines(parkIds: readonly number[]): Promise<void> {
  const missing = parkIds.filter((id) => !withoutOutline.has(id) && knownOutline(id) === undefined);
  if (missing.length === 0) return;
  const rows = await request((client) =>
    client.from('parks').select('id,outline').in('id', missing).not('outline', 'is', null),
  );
  for (const { id, outline } of rows) queryClient.setQueryData(parkKeys.outline(id), outline);
  for (const id of missing) if (knownOutline(id) === undefined) withoutOutline.add(id);
}
