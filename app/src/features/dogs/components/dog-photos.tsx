// The photos of a dog. The owner can add and remove photos and choose the primary one.
import { useQuery } from '@tanstack/react-query';
import { ImagePlus, ImageUp, Star, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMakePrimary, useRemoveDogPhoto } from '#/features/dogs/commands/arrange-dog-photos.ts';
import { DogPhoto } from '#/features/dogs/components/dog-photo.tsx';
import { DogPhotoSheet } from '#/features/dogs/components/dog-photo-sheet.tsx';
import type { DogPlace } from '#/features/dogs/commands/dog-photo-files.ts';
import { dogPhotosQueryOptions } from '#/features/dogs/queries/dog-photos.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { ConfirmSheet } from '#/ui/confirm-sheet.tsx';
import { DogDrawing } from '#/ui/dog-drawing.tsx';
import type { LucideIcon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { announce } from '#/ui/announcements.ts';
import { showError } from '#/ui/toast.ts';
import styles from './dog-photos.module.css';
import { PHOTO_WIDTH } from '../../../../../shared/photo-sizes.ts';

interface DogPhotosProps {
  place: DogPlace;
  dogName: string;
  mine: boolean;
}

export function DogPhotos({ place, dogName, mine }: DogPhotosProps) {
  const t = useT();
  const { data, isPending } = useQuery(dogPhotosQueryOptions(place));
  /**
   * The reason for choosing a photo: as an additional one, or as replacement of the photo at this path. Stored on tap, because the
   * list may change in the meantime.
   */
  const [choosing, setChoosing] = useState<'another' | { replaces: string } | null>(null);
  /** Path of the primary photo that is removed after confirmation. */
  const [removing, setRemoving] = useState<string | null>(null);
  const makePrimary = useMakePrimary();
  const remove = useRemoveDogPhoto();
  const busy = makePrimary.isPending || remove.isPending;

  if (isPending) return <Skeleton height="16rem" />;
  const primary = data?.primary ?? null;
  const removePhoto = (path: string) =>
    remove.mutate(
      { ...place, path },
      { onSuccess: () => announce(t('dogs.photos.removed')), onError: showError },
    );
  const tool = (icon: LucideIcon, label: string, onClick: () => void) => (
    <IconButton variant="raised" icon={icon} label={label} busy={busy} onClick={onClick} />
  );
  const others = data?.others ?? [];
  const replaces = choosing === 'another' ? undefined : choosing?.replaces;
  return (
    <section aria-label={t('ui.photos')} className="column-3">
      {primary ? (
        <div className={styles.main}>
          <DogPhoto
            path={primary}
            width={PHOTO_WIDTH.wide}
            alt={t('ui.photoOf', { name: dogName })}
            loading="eager"
            className={styles.primary}
          />
          {mine && (
            <span className={styles.actions}>
              {tool(ImageUp, t('dogs.photos.replace'), () => setChoosing({ replaces: primary }))}
              {tool(Trash2, t('dogs.photos.removeMain'), () => setRemoving(primary))}
            </span>
          )}
        </div>
      ) : (
        <div className={styles.none}>
          <DogDrawing pose="sitting" size={140} />
        </div>
      )}
      {others.length > 0 && (
        <ul className={styles.others}>
          {others.map((path) => (
            <li key={path} className={styles.other}>
              <DogPhoto
                path={path}
                width={PHOTO_WIDTH.card}
                alt={t('ui.photoOf', { name: dogName })}
                loading="lazy"
                className={styles.picture}
              />
              {mine && (
                <span className={styles.actions}>
                  {tool(Star, t('dogs.photos.makePrimary'), () =>
                    makePrimary.mutate({ ...place, path }),
                  )}
                  {tool(Trash2, t('ui.photo.remove'), () => removePhoto(path))}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {mine && (
        <Button
          variant="secondary"
          icon={ImagePlus}
          busy={busy}
          className={styles.add}
          onClick={() => setChoosing('another')}
        >
          {t('ui.photo.add')}
        </Button>
      )}
      <DogPhotoSheet
        open={choosing !== null}
        title={t(replaces ? 'dogs.photos.replace' : 'ui.photo.add')}
        place={place}
        // If loading the photos failed, a new photo must not replace a primary photo that may exist.
        primary={replaces !== undefined || (data !== undefined && primary === null)}
        replaces={replaces}
        onClose={() => setChoosing(null)}
      />
      <ConfirmSheet
        open={removing !== null}
        onClose={() => setRemoving(null)}
        danger
        title={t('dogs.photos.removeTitle', { name: dogName })}
        text={t('dogs.photos.removeText')}
        confirmLabel={t('dogs.photos.removeMain')}
        onConfirm={() => {
          setRemoving(null);
          if (removing !== null) removePhoto(removing);
        }}
      />
    </section>
  );
}
