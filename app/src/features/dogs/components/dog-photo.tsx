// A photo of a dog, or an error if it cannot be loaded.
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { photoUrl } from '#/entities/photos/photo-url.ts';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './dog-photos.module.css';

interface DogPhotoProps {
  /** Path of the photo in the users bucket. */
  path: string;
  /** Width in pixels to which the storage service resizes it. */
  width: number;
  alt: string;
  loading: 'eager' | 'lazy';
  className: string | undefined;
}

export function DogPhoto({ path, width, alt, loading, className }: DogPhotoProps) {
  const t = useT();
  const [failed, setFailed] = useState<string | null>(null);
  if (failed === path)
    return (
      <span className={classNames(styles.broken, className)}>
        <Icon of={ImageOff} size={32} />
        {t('ui.photo.broken')}
      </span>
    );
  return (
    <img
      src={photoUrl('users', path, width)}
      alt={alt}
      loading={loading}
      className={className}
      onError={() => setFailed(path)}
    />
  );
}
