// The round picture of a user or a dog; a paw if there is none or it does not load.
import { PawPrint } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './avatar.module.css';

interface AvatarProps {
  name: string;
  src?: string | null;
  size?: number;
  className?: string | undefined;
}

const TONES = 4;

/** Deterministic: the same name always has the same colour. */
function toneOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % TONES;
}

/** Decorative and hidden from screen readers, because the name is shown next to it. */
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
