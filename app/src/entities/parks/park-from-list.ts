// A park that was never opened here, without an answer: shown with what the list of parks knows, until one comes.
import type { QueryClient } from '@tanstack/react-query';
import { parkQueryOptions, type Park } from '#/entities/parks/park.ts';
import { parkCardQueryOptions } from '#/entities/parks/park-card.ts';
import { parkListQueryOptions } from '#/entities/parks/park-list-query.ts';
import { factsOf } from '#/entities/parks/park-list-file.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import type { Language } from '#/i18n/languages.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';

/** A row of the list in the shape of a whole park. @param photo its path, where a card has shown it on this device */
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
  // Only such parks are in the list.
  status: 'approved',
  source: null,
  source_ref: null,
  licence: null,
  park_translations: [{ language, name, city, address }],
  park_photos: [],
  listed: true,
});

/** Shows what the list knows, unless an answer is there. @returns false when the list cannot be had, or does not know the park */
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
  // Never fresh: it is asked for again at every chance, and not stored on the device.
  queryClient.setQueryData(queryKey, fromList(row, language, card?.photo), { updatedAt: 0 });
  return true;
}
