// A stored park with its translations.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { DEFAULT_LANGUAGE, type Language } from '#/i18n/languages.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { AppError } from '#/core/app-error.ts';
import { STALE } from '#/data/stale.ts';
import { request } from '#/data/request.ts';
import type { Outline } from '#/core/outline.ts';
import type { ParkFacts } from '../../../../shared/park-facts.ts';
import type { Tables } from '../../../../shared/database.types.ts';

type ParkTranslation = Omit<Tables<'park_translations'>, 'park_id'>;

/** A photo of the park: an approved one, or a pending one of the caller. */
export interface ParkPhotoRow {
  /** Path of the photo in the parks bucket. */
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
  /** Source and date of each fact or column, if they differ from the park's. */
  fact_sources: Partial<Record<string, [source: string, date: string | null]>>;
  /** GeoJSON of an imported park whose source has an outline. */
  outline: Outline | null;
  park_translations: ParkTranslation[];
  park_photos: ParkPhotoRow[];
  /** Contains only the list file's data, in one language, because no response has arrived (park-from-list.ts). */
  listed?: true;
}

const COLUMNS =
  'id,size,size_label,materials,shade,has_facilities,facts,fact_sources,outline,lat,long,status,primary_photo,source,source_ref,source_date,licence';

const MAX_SHOWN_PHOTOS = 60;

/** Fetches all languages, so that switching needs no request. @throws {AppError} 404 if the park does not exist or has no name */
export async function fetchPark(parkId: number): Promise<Park> {
  const park = await request((client) =>
    client
      .from('parks')
      .select(`${COLUMNS},park_translations(name,city,address,language),park_photos(path,status)`)
      .eq('id', parkId)
      .neq('park_photos.status', 'rejected')
      // Photos of hazards are shown with their hazard.
      .eq('park_photos.of_hazard', false)
      .limit(MAX_SHOWN_PHOTOS, { referencedTable: 'park_photos' })
      .maybeSingle()
      .overrideTypes<Pick<Park, 'park_photos' | 'facts' | 'fact_sources' | 'outline'>>(),
  );
  if (!park || park.park_translations.length === 0)
    throw new AppError('errors.park_not_found', 404);
  return park;
}

/** Returns the park's translation in a language, or in English, or in any other. */
export function parkTranslation(park: Park, language: Language): ParkTranslation {
  const of = (code: string) => park.park_translations.find((row) => row.language === code);
  const translation = of(language) ?? of(DEFAULT_LANGUAGE) ?? park.park_translations[0];
  if (!translation) throw new AppError('errors.park_not_found', 404);
  return translation;
}

export const parkQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.park(parkId),
    queryFn: () => fetchPark(parkId),
    // If the server stops responding while the device is online, no event reports its recovery, so poll.
    refetchInterval: ({ state }) => (state.data?.listed ? STALE.live : false),
  });

export const usePark = (parkId: number) => useQuery(parkQueryOptions(parkId));

/** True if visitors see a photo of the park. */
export const hasPicture = ({ primary_photo, park_photos }: Park): boolean =>
  primary_photo !== null || park_photos.some(({ status }) => status === 'approved');
