// The photos of a dog: one primary and others, as files in bucket users under {ownerId}/dogs/{dogId}/.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toAppError } from '#/i18n/errors.ts';
import type { Area } from '#/core/images/crop.ts';
import { prepareImage } from '#/platform/images/prepare-image.ts';
import { uploadImage } from '#/data/photos/upload-image.ts';
import { peopleKeys } from '#/data/people-keys.ts';
import { sendOrQueue } from '#/offline/command-queue/send-or-queue.ts';
import { supabase } from '#/data/supabase.ts';
import { newUuid } from '#/core/uuid.ts';

export interface DogPlace {
  ownerId: string;
  dogId: string;
}

export interface DogPhotos {
  /** Object paths in bucket users. */
  primary: string | null;
  others: string[];
}

const BUCKET = 'users';
/** The name of a primary file begins with this. */
const PRIMARY = 'primary-';

const folderOf = ({ ownerId, dogId }: DogPlace, kind: 'primary' | 'other') =>
  `${ownerId}/dogs/${dogId}/${kind}`;
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

async function listFolder(folder: string): Promise<string[]> {
  const client = await supabase();
  const { data, error } = await client.storage
    .from(BUCKET)
    .list(folder, { limit: 100, sortBy: { column: 'created_at', order: 'desc' } });
  if (error) throw toAppError(error);
  return data.filter((entry) => entry.id !== null).map((entry) => `${folder}/${entry.name}`);
}

/** @throws {AppError} */
export async function fetchDogPhotos(place: DogPlace): Promise<DogPhotos> {
  const [primary, others] = await Promise.all([
    listFolder(folderOf(place, 'primary')),
    listFolder(folderOf(place, 'other')),
  ]);
  return { primary: primary[0] ?? null, others };
}

export const dogPhotosQueryOptions = (place: DogPlace) =>
  queryOptions({
    queryKey: peopleKeys.dogPhotos(place.dogId),
    queryFn: () => fetchDogPhotos(place),
  });

interface UploadDogPhoto extends DogPlace {
  file: File;
  /** The part of the picture that is kept. */
  area?: Area;
  /** True replaces the primary photo: the other files of its folder are then removed. */
  primary: boolean;
  /** Called with 0 to 1. */
  onProgress?: (share: number) => void;
}

/** 'queued' without a network. @throws {UnreadableImageError} @throws {AppError} status 413: too large */
export async function uploadDogPhoto({
  file,
  area,
  primary,
  onProgress,
  ...place
}: UploadDogPhoto): Promise<'done' | 'queued'> {
  const image = await prepareImage(file, area && { area });
  const folder = folderOf(place, primary ? 'primary' : 'other');
  const path = `${folder}/${primary ? PRIMARY : ''}${image.name}`;
  const args = { bucket: BUCKET, path, alone: primary };
  return sendOrQueue({ id: newUuid(), deed: 'dog_photo', args, bytes: image.blob }, async () => {
    await uploadImage({
      bucket: BUCKET,
      path,
      blob: image.blob,
      ...(onProgress && { onProgress }),
    });
    if (primary) await removeFiles((await listFolder(folder)).filter((each) => each !== path));
    return 'done' as const;
  });
}

async function removeFiles(paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const client = await supabase();
  const { error } = await client.storage.from(BUCKET).remove(paths);
  if (error) throw toAppError(error);
}

async function move(from: string, to: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.storage.from(BUCKET).move(from, to);
  if (error) throw toAppError(error);
}

/** One of the photos that are there. */
interface OnePhoto extends DogPlace {
  path: string;
}

/**
 * Makes another photo the primary one; the previous primary moves to the others. The new one comes first, so that at no
 * moment the dog has no photo. A failure is only logged: the photos are then asked for again, and show what is true.
 */
export async function makePrimary({ path, ...place }: OnePhoto): Promise<void> {
  try {
    const previous = await listFolder(folderOf(place, 'primary'));
    await move(path, `${folderOf(place, 'primary')}/${PRIMARY}${nameOf(path)}`);
    for (const old of previous)
      await move(old, `${folderOf(place, 'other')}/${nameOf(old).replace(PRIMARY, '')}`);
  } catch (error) {
    console.warn('The photos could not be swapped:', error);
  }
}

function useRefresh() {
  const queryClient = useQueryClient();
  return ({ dogId }: DogPlace) =>
    queryClient.invalidateQueries({ queryKey: peopleKeys.dogPhotos(dogId) });
}

export function useUploadDogPhoto() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: uploadDogPhoto,
    onSettled: (_data, _error, place) => refresh(place),
  });
}

export function useMakePrimary() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: makePrimary,
    onSettled: (_data, _error, place) => refresh(place),
  });
}

export function useRemoveDogPhoto() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ path }: OnePhoto) => removeFiles([path]),
    onSettled: (_data, _error, place) => refresh(place),
  });
}
