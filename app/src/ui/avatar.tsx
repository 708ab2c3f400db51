// A person or a dog as a round picture; without one, or where it does not load, a paw.
import { PawPrint } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import { toneOf } from '#/ui/avatar-look.ts';
import styles from './avatar.module.css';

interface AvatarProps {
  name: string;
  src?: string | null;
  size?: number;
  className?: string | undefined;
}

/** Decorative: the name stands beside it, so it is hidden from screen readers. */
export function Avatar({ name, src, size = 44, className }: AvatarProps) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span
      aria-hidden
      className={classNames(styles.avatar, className)}
      data-tone={toneOf(name)}
      style={{ inlineSize: size, blockSize: size }}
    >
      {src && src !== failed ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          className={styles.picture}
          onError={() => setFailed(src)}
        />
      ) : (
        <Icon of={PawPrint} size={Math.round(size * 0.5)} />
      )}
    </span>
  );
}
