// Chooses a photo of a dog from the camera or a file, and crops it.
import { Camera, ImageUp } from 'lucide-react';
import { useRef } from 'react';
import { useT } from '#/i18n/i18n.ts';
import type { Area } from '#/core/images/crop.ts';
import { pickPhoto } from '#/entities/photos/pick-photo.ts';
import { unreadableMessage } from '#/platform/images/prepare-photo.ts';
import { Button } from '#/ui/button.tsx';
import { PhotoCrop } from '#/ui/photo-crop.tsx';
import { PhotoInput } from '#/ui/photo-input.tsx';
import { showProblem } from '#/ui/toast.ts';

/** A photo and its crop; null until the size is known. */
export interface ChosenPhoto {
  file: File;
  area: Area | null;
}

interface DogPhotoChoiceProps {
  photo: ChosenPhoto | null;
  onChange: (photo: ChosenPhoto | null) => void;
  /** True for the secondary style. */
  quiet?: boolean;
}

/** The aspect ratio of photos on a dog's page. */
const ASPECT = 4 / 3;

export function DogPhotoChoice({ photo, onChange, quiet = false }: DogPhotoChoiceProps) {
  const t = useT();
  const camera = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const take = (file: File) => onChange({ file, area: null });
  return (
    <>
      <PhotoInput ref={camera} label={t('ui.photo.camera')} capture="environment" onPhoto={take} />
      <PhotoInput ref={files} label={t('ui.photo.upload')} onPhoto={take} />
      {photo ? (
        <PhotoCrop
          file={photo.file}
          aspect={ASPECT}
          onChange={(area) => onChange({ file: photo.file, area })}
          onUnreadable={() => {
            onChange(null);
            showProblem(t(unreadableMessage(photo.file)));
          }}
        />
      ) : (
        <>
          <Button
            wide
            variant={quiet ? 'secondary' : 'primary'}
            icon={Camera}
            onClick={() => pickPhoto('camera', camera.current, take)}
          >
            {t('ui.photo.camera')}
          </Button>
          <Button
            wide
            variant="secondary"
            icon={ImageUp}
            onClick={() => pickPhoto('gallery', files.current, take)}
          >
            {t('ui.photo.upload')}
          </Button>
        </>
      )}
    </>
  );
}
