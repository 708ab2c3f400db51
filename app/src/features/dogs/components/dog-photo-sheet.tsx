// Adds a photo of a dog or replaces its primary one. The photo is chosen, cropped and resized on the device, then uploaded.
import { useState } from 'react';
import { useUploadDogPhoto } from '#/features/dogs/commands/dog-photo.command.ts';
import type { DogPlace } from '#/features/dogs/commands/dog-photo-files.ts';
import { type ChosenPhoto, DogPhotoChoice } from '#/features/dogs/components/dog-photo-choice.tsx';
import { useT } from '#/i18n/i18n.ts';
import { useDraftPhoto } from '#/entities/drafts/use-draft.ts';
import { AppError } from '#/core/app-error.ts';
import { Button } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showError } from '#/ui/toast.ts';
import styles from './dog-photos.module.css';

interface DogPhotoSheetProps {
  open: boolean;
  title: string;
  place: DogPlace;
  /** True if the new photo becomes the primary one. */
  primary: boolean;
  /** Path of the photo that the new one replaces. */
  replaces: string | undefined;
  onClose: () => void;
}

export function DogPhotoSheet(props: DogPhotoSheetProps) {
  const { open, title, place, primary, replaces, onClose } = props;
  const t = useT();
  const { photo, setPhoto } = useDraftPhoto<ChosenPhoto>(`dog-photo/${place.dogId}`, open);
  const [share, setShare] = useState<number | null>(null);
  const upload = useUploadDogPhoto();

  const sent = () => {
    setPhoto(null);
    onClose();
  };
  const send = () => {
    if (!photo?.area || upload.isPending) return;
    const { file, area } = photo;
    setShare(0);
    // Unlike the callbacks of `mutate`, these also run after the component has unmounted.
    upload
      .mutateAsync({ ...place, file, area, primary, replaces, onProgress: setShare })
      .then(sent, (error: unknown) => {
        // If the file is not an image, the user must choose another one.
        if (error instanceof AppError && error.status === 415) setPhoto(null);
        showError(error);
      })
      .finally(() => setShare(null));
  };

  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      size="small"
      footer={
        photo && (
          <>
            <Button variant="secondary" disabled={upload.isPending} onClick={() => setPhoto(null)}>
              {t('dogs.photos.another')}
            </Button>
            <Button busy={upload.isPending} onClick={send}>
              {t('dogs.photos.use')}
            </Button>
          </>
        )
      }
    >
      <div className="column-3">
        <DogPhotoChoice photo={photo} onChange={setPhoto} />
        {share !== null && (
          <progress
            className={styles.progress}
            aria-label={t('ui.photo.sending')}
            max={1}
            value={share}
          />
        )}
      </div>
    </Sheet>
  );
}
