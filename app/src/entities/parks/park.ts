// One park as it is stored, with its names in the languages it has.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { DEFAULT_LANGUAGE, type Language } from '#/i18n/languages.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { AppError } from '#/core/app-error.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { Outline } from '#/core/outline.ts';
import type { ParkFacts } from '#/entities/parks/park-facts.ts';
import type { Tables } from '../../../../shared/database.types.ts';

type ParkTranslation = Omit<Tables<'park_translations'>, 'park_id'>;

/** A photo of the park: an approved one, or the caller's own that waits for approval. */
export interface ParkPhotoRow {
  /** The object's path in bucket parks. */
  path: string;
  status: 'pending' | 'approved';
}

type Stored = Pick<
  Tables<'parks'>,
  | 'id'
  | 'lat'
  | 'long'
  | 'status'
  | 'primary_photo'
  | 'source'
  | 'source_ref'
  | 'source_date'
  | 'licence'
>;

export interface Park extends ParkFacts, Stored {
  /** By fact or column: who said it, and on which day, where it was not the park's source on its date. */
  fact_sources: Partial<Record<string, [source: string, date: string | null]>>;
  /** GeoJSON of an imported park whose source draws one. */
  outline: Outline | null;
  park_translations: ParkTranslation[];
  park_photos: ParkPhotoRow[];
  /** Only what the list of parks knows, in one language: no answer has come yet (listed-park.ts). */
  listed?: true;
}

const COLUMNS =
  'id,size,size_label,materials,shade,has_facilities,facts,fact_sources,outline,lat,long,status,primary_photo,source,source_ref,source_date,licence';

const MAX_SHOWN_PHOTOS = 60;

/** All languages, so that switching asks nothing. @throws {AppError} 404 where there is no such park, or it has no name */
export async function fetchPark(parkId: number): Promise<Park> {
  const park = await request((client) =>
    client
      .from('parks')
      .select(`${COLUMNS},park_translations(name,city,address,language),park_photos(path,status)`)
      .eq('id', parkId)
      .neq('park_photos.status', 'rejected')
      // Photos of hazards stand with their hazard.
      .eq('park_photos.of_hazard', false)
      .limit(MAX_SHOWN_PHOTOS, { referencedTable: 'park_photos' })
      .maybeSingle()
      .overrideTypes<Pick<Park, 'park_photos' | 'facts' | 'fact_sources' | 'outline'>>(),
  );
  if (!park || park.park_translations.length === 0)
    throw new AppError('errors.park_not_found', 404);
  return park;
}

/** The park's words in a language, else in English, else in any. */
export function parkWords(park: Park, language: Language): ParkTranslation {
  const of = (wanted: string) => park.park_translations.find((row) => row.language === wanted);
  const words = of(language) ?? of(DEFAULT_LANGUAGE) ?? park.park_translations[0];
  if (!words) throw new AppError('errors.park_not_found', 404);
  return words;
}

export const parkQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.park(parkId),
    queryFn: () => fetchPark(parkId),
    // On a line that is there and answers nothing, no event tells when that changes.
    refetchInterval: ({ state }) => (state.data?.listed ? STALE.live : false),
  });

export const usePark = (parkId: number) => useQuery(parkQueryOptions(parkId));
