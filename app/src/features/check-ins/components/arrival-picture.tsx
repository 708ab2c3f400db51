// The arrival animation, in which dogs run into the park and the dog count rolls up. It respects reduced motion.
import { useState } from 'react';
import type { Companion } from '#/features/check-ins/components/companion-choice.tsx';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { sunPhase } from '#/core/sun.ts';
import { avatarUrl } from '#/entities/photos/photo-url.ts';
import { Avatar } from '#/ui/avatar.tsx';
import { DogDrawing } from '#/ui/dog-drawing.tsx';
import { ParkScene } from '#/entities/parks/park-scene.tsx';
import styles from './arrival-picture.module.css';

interface ArrivalPictureProps {
  before: number | null;
  arrived: number;
  /** The user's dogs that come along. */
  companions: readonly Companion[];
}

/** Maximum number of avatars that fit. */
const MAX_AVATARS = 3;

export function ArrivalPicture({ before, arrived, companions }: ArrivalPictureProps) {
  const t = useT();
  const locale = useLocale();
  const format = new Intl.NumberFormat(locale);
  const [phase] = useState(() => sunPhase(new Date()));
  const avatars = companions.filter(({ photo }) => photo).slice(0, MAX_AVATARS);
  return (
    <span className={styles.scene}>
      <ParkScene phase={phase} sky={null} dogs={before ?? 0} />
      <span className={styles.dogs}>
        {avatars.length > 0 ? (
          avatars.map(({ id, name, photo }) => (
            <Avatar key={id} name={name} src={avatarUrl(photo)} size={72} />
          ))
        ) : (
          <span className={styles.drawn}>
            <DogDrawing pose="playing" size={104} />
          </span>
        )}
      </span>
      {before !== null && (
        <span className={styles.count}>
          <span className={styles.roll} aria-hidden>
            <span>{format.format(before)}</span>
            <span>{format.format(before + arrived)}</span>
          </span>
          <span aria-hidden>{t('parks.live.dogsLabel', { count: before + arrived })}</span>
          <span className="visually-hidden">{t('parks.dogsNow', { count: before + arrived })}</span>
        </span>
      )}
    </span>
  );
}
