// The hidden field behind a button that asks for a photo; a shell asks the device instead (entities/photos/pick-photo.ts).
import type { RefObject } from 'react';

interface PhotoInputProps {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  /** Straight to the camera, on phones. */
  capture?: 'environment' | undefined;
  onPhoto: (file: File) => void;
}

export const PhotoInput = ({ ref, label, capture, onPhoto }: PhotoInputProps) => (
  <input
    ref={ref}
    hidden
    type="file"
    accept="image/*"
    aria-label={label}
    capture={capture}
    onChange={(event) => {
      const [file] = event.target.files ?? [];
      // The same file may be chosen again.
      event.target.value = '';
      if (file) onPhoto(file);
    }}
  />
);
