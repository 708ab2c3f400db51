// The photos of a dog: a strip for everyone; its owner adds, makes one the primary, and removes.
import { useQuery } from '@tanstack/react-query';
import { Camera, ImageUp, Star, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  type DogPlace,
  dogPhotosQueryOptions,
  useMakePrimary,
  useRemoveDogPhoto,
  useUploadDogPhoto,
} from '#/features/dogs/api/dog-photos.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/lib/errors.ts';
import { PHOTO_WIDTH, photoUrl } from '#/lib/images/photo-url.ts';
import { UnreadableImageError } from '#/lib/images/prepare-image.ts';
import { Button } from '#/ui/button.tsx';
import { LazyDog } from '#/ui/lazy-dog.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { showToast } from '#/ui/toast.ts';
import styles from './dog-photos.module.css';

interface DogPhotosProps {
  place: DogPlace;
  dogName: string;
  mine: boolean;
}

export function DogPhotos({ place, dogName, mine }: DogPhotosProps) {
  const t = useT();
  const { data, isPending } = useQuery(dogPhotosQueryOptions(place));
  const [adding, setAdding] = useState(false);
  const makePrimary = useMakePrimary();
  const remove = useRemoveDogPhoto();
  const busy = makePrimary.isPending || remove.isPending;

  if (isPending) return <Skeleton height="16rem" />;
  const primary = data?.primary ?? null;
  const others = data?.others ?? [];
  return (
    <section aria-label={t('dogs.photos.title')} className={styles.photos}>
      {primary ? (
        <img
          src={photoUrl('users', primary, PHOTO_WIDTH.wide)}
          alt={t('dogs.photos.of', { name: dogName })}
          className={styles.primary}
        />
      ) : (
        <div className={styles.none}>
          <LazyDog pose="sitting" size={140} />
        </div>
      )}
      {others.length > 0 && (
        <ul className={styles.others}>
          {others.map((path) => (
            <li key={path} className={styles.other}>
              <img
                src={photoUrl('users', path, PHOTO_WIDTH.card)}
                alt={t('dogs.photos.of', { name: dogName })}
                loading="lazy"
              />
              {mine && (
                <span className={styles.actions}>
                  <IconButton
                    variant="raised"
                    icon={Star}
                    label={t('dogs.photos.makePrimary')}
                    disabled={busy}
                    onClick={() => makePrimary.mutate({ ...place, path })}
                  />
                  <IconButton
                    variant="raised"
                    icon={Trash2}
                    label={t('dogs.photos.remove')}
                    disabled={busy}
                    onClick={() =>
                      remove.mutate(
                        { ...place, path },
                        { onError: (error) => showToast(errorText(error), { kind: 'error' }) },
                      )
                    }
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {mine && (
        <Button variant="secondary" icon={ImageUp} onClick={() => setAdding(true)}>
          {t('dogs.photos.add')}
        </Button>
      )}
      <AddPhotoSheet
        open={adding}
        place={place}
        primary={primary === null}
        onClose={() => setAdding(false)}
      />
    </section>
  );
}

interface AddPhotoSheetProps {
  open: boolean;
  place: DogPlace;
  /** The dog has no primary photo yet: this one becomes it. */
  primary: boolean;
  onClose: () => void;
}

/** Camera or upload; what was chosen is made small on the device before it goes out. */
function AddPhotoSheet({ open, place, primary, onClose }: AddPhotoSheetProps) {
  const t = useT();
  const camera = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number | null>(null);
  const upload = useUploadDogPhoto();

  const send = (file: File | undefined) => {
    if (!file || upload.isPending) return;
    setShare(0);
    upload.mutate(
      { ...place, file, primary, onProgress: setShare },
      {
        onSuccess: onClose,
        onError: (error) =>
          showToast(
            error instanceof UnreadableImageError
              ? t('dogs.photos.unreadable')
              : errorText(error, {}),
            { kind: 'error' },
          ),
        onSettled: () => setShare(null),
      },
    );
  };

  return (
    <Sheet open={open} onClose={onClose} title={t('dogs.photos.add')} size="small">
      <div className={styles.choices}>
        <input
          ref={camera}
          hidden
          type="file"
          accept="image/*"
          capture="environment"
          onChange={(event) => send(event.target.files?.[0])}
        />
        <input
          ref={files}
          hidden
          type="file"
          accept="image/*"
          onChange={(event) => send(event.target.files?.[0])}
        />
        <Button wide icon={Camera} busy={upload.isPending} onClick={() => camera.current?.click()}>
          {t('dogs.photos.camera')}
        </Button>
        <Button
          wide
          variant="secondary"
          icon={ImageUp}
          busy={upload.isPending}
          onClick={() => files.current?.click()}
        >
          {t('dogs.photos.upload')}
        </Button>
        {share !== null && (
          <progress className={styles.progress} max={1} value={share}>
            {t('dogs.photos.sending')}
          </progress>
        )}
      </div>
    </Sheet>
  );
}
