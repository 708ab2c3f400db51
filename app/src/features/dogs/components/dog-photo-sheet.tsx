// Adds a photo of a dog: from the camera or a file, cut to what matters, made small on the device, then sent.
import { Camera, ImageUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { useUploadDogPhoto } from '#/features/dogs/commands/dog-photo.command.ts';
import type { DogPlace } from '#/features/dogs/commands/dog-photo-files.ts';
import { useT } from '#/i18n/i18n.ts';
import { errorText } from '#/i18n/errors.ts';
import type { Area } from '#/core/images/crop.ts';
import { pickPhoto } from '#/data/photos/pick-photo.ts';
import { UnreadableImageError } from '#/platform/images/prepare-image.ts';
import { Button } from '#/ui/button.tsx';
import { PhotoCrop } from '#/ui/photo-crop.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { showToast } from '#/ui/toast.ts';
import styles from './dog-photos.module.css';

interface DogPhotoSheetProps {
  open: boolean;
  place: DogPlace;
  /** The dog has no primary photo yet: this one becomes it. */
  primary: boolean;
  onClose: () => void;
}

/** As the page of a dog shows its photo. */
const ASPECT = 4 / 3;

export function DogPhotoSheet({ open, place, primary, onClose }: DogPhotoSheetProps) {
  const t = useT();
  const camera = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [area, setArea] = useState<Area | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const upload = useUploadDogPhoto();

  const leave = () => {
    setFile(null);
    setArea(null);
    onClose();
  };
  const startAgain = () => {
    setFile(null);
    setArea(null);
  };
  const sayUnreadable = () => {
    startAgain();
    showToast(t('dogs.photos.unreadable'), { kind: 'error' });
  };
  const send = () => {
    if (!file || !area || upload.isPending) return;
    setShare(0);
    upload.mutate(
      { ...place, file, area, primary, onProgress: setShare },
      {
        onSuccess: leave,
        onError: (error) => {
          if (error instanceof UnreadableImageError) sayUnreadable();
          else showToast(errorText(error), { kind: 'error' });
        },
        onSettled: () => setShare(null),
      },
    );
  };

  const input = (ref: typeof camera, capture?: 'environment') => (
    <input
      ref={ref}
      hidden
      type="file"
      accept="image/*"
      capture={capture}
      onChange={(event) => {
        setFile(event.target.files?.[0] ?? null);
        // The same file may be chosen again.
        event.target.value = '';
      }}
    />
  );

  return (
    <Sheet
      open={open}
      onClose={leave}
      title={t('dogs.photos.add')}
      size="small"
      footer={
        file && (
          <>
            <Button variant="secondary" disabled={upload.isPending} onClick={startAgain}>
              {t('dogs.photos.another')}
            </Button>
            <Button busy={upload.isPending} onClick={send}>
              {t('dogs.photos.use')}
            </Button>
          </>
        )
      }
    >
      <div className={styles.choices}>
        {input(camera, 'environment')}
        {input(files)}
        {file ? (
          <PhotoCrop file={file} aspect={ASPECT} onChange={setArea} onUnreadable={sayUnreadable} />
        ) : (
          <>
            <Button wide icon={Camera} onClick={() => pickPhoto('camera', camera.current, setFile)}>
              {t('dogs.photos.camera')}
            </Button>
            <Button
              wide
              variant="secondary"
              icon={ImageUp}
              onClick={() => pickPhoto('gallery', files.current, setFile)}
            >
              {t('dogs.photos.upload')}
            </Button>
          </>
        )}
        {share !== null && (
          <progress
            className={styles.progress}
            aria-label={t('dogs.photos.sending')}
            max={1}
            value={share}
          />
        )}
      </div>
    </Sheet>
  );
}
