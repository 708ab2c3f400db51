// A photo of a park; without one, or if it fails to load, a drawing or a paw icon.
import { PawPrint } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './park-photo.module.css';

interface ParkPhotoProps {
  /** Path of the photo in the parks bucket; null without a photo. */
  path: string | null;
  /** Width in pixels to which the storage service resizes it; twice the displayed size for high-density screens. */
  width: number;
  /** Translated; '' if the text next to it is sufficient. */
  alt: string;
  /** Disables lazy loading, for the first photo of a page. */
  eager?: boolean;
  /** Fills the frame instead of a photo. */
  scene?: ReactNode;
  className?: string | undefined;
}

export function ParkPhoto({ path, width, alt, eager = false, scene, className }: ParkPhotoProps) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span className={classNames(styles.frame, className)}>
      {path === null || failed === path ? (
        (scene ?? <Icon of={PawPrint} size={32} className={styles.paw} />)
      ) : (
        <img
          src={photoUrl('parks', path, width)}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className={styles.photo}
          onError={() => setFailed(path)}
        />
      )}
    </span>
  );
}
