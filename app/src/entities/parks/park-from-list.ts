// Shows a park that was never opened here with the data of the list file until it can be loaded.
import type { QueryClient } from '@tanstack/react-query';
import { parkQueryOptions, type Park } from '#/entities/parks/park.ts';
import { parkCardQueryOptions } from '#/entities/parks/park-card.ts';
import { parkListQueryOptions } from '#/entities/parks/park-list-query.ts';
import { factsOf } from '#/entities/parks/park-list-file.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';

/** Converts a row of the list file to a park. @param photo its path, if a card has shown it on this device */
export const fromList = (
  { id, name, city, address, location, known }: ParkListItem,
  language: Language,
  photo: string | null = null,
): Park => ({
  ...factsOf(known),
  primary_photo: photo,
  fact_sources: {},
  outline: null,
  source_date: null,
  id,
  lat: location.lat,
  long: location.long,
  // The list contains only approved parks.
  status: 'approved',
  source: null,
  source_ref: null,
  licence: null,
  park_translations: [{ language, name, city, address }],
  park_photos: [],
  listed: true,
});

/** Caches the list file's data unless the park is cached. @returns false if the list cannot be loaded or lacks the park */
export async function showListed(queryClient: QueryClient, parkId: number): Promise<boolean> {
  const { queryKey } = parkQueryOptions(parkId);
  const language = currentLanguage();
  const list = await queryClient
    .ensureQueryData(parkListQueryOptions(language))
    .catch(() => [] as ParkListItem[]);
  if (queryClient.getQueryData(queryKey)) return true;
  const row = list.find(({ id }) => id === parkId);
  if (!row) return false;
  const card = queryClient.getQueryData(parkCardQueryOptions(parkId).queryKey);
  // Mark the park as stale, so that it is refetched at every opportunity and not stored on the device.
  queryClient.setQueryData(queryKey, fromList(row, language, card?.photo), { updatedAt: 0 });
  return true;
}
