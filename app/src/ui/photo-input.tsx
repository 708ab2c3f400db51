// The hidden file input behind a photo button; native shells open the device's picker instead (entities/photos/pick-photo.ts).
import type { RefObject } from 'react';

interface PhotoInputProps {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  /** Opens the camera directly on phones. */
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
      // Clear the value. Otherwise choosing the same file again would not trigger a change event.
      event.target.value = '';
      if (file) onPhoto(file);
    }}
  />
);
