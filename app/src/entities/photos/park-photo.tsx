// One photo of a park; where there is none, or it does not load, a drawn scene or a calm paw.
import { PawPrint } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './park-photo.module.css';

interface ParkPhotoProps {
  /** Object path in bucket parks, or null. */
  path: string | null;
  /** Pixels that the storage service resizes to; twice the shown size for sharp screens. */
  width: number;
  /** Translated; '' where the words beside it say enough. */
  alt: string;
  /** Load it before it is near the screen: the first photo of a page. */
  eager?: boolean;
  /** In place of the photo, filling its frame. */
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
