// A park's key figures in one line: current number of dogs, walking time, rating.
import { PawPrint } from 'lucide-react';
import { Rating } from '#/ui/rating.tsx';
import { formatDistance } from '#/core/distance.ts';
import { walkingMinutes } from '#/core/travel-time.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './park-live-line.module.css';

interface ParkLiveLineProps {
  /** The current number of dogs; null if unknown. */
  dogs: number | null;
  /** Metres from the user; null if unknown. */
  distance: number | null;
  rank: number | null;
  reviews?: number | undefined;
}

export function ParkLiveLine({ dogs, distance, rank, reviews }: ParkLiveLineProps) {
  const t = useT();
  const locale = useLocale();
  const minutes = distance === null ? null : walkingMinutes(distance);
  return (
    <span className={styles.line}>
      {dogs !== null && (
        <span className={styles.dogs} data-lively={dogs > 0}>
          <Icon of={PawPrint} size={18} />
          {t('parks.dogsNow', { count: dogs })}
        </span>
      )}
      {distance !== null && (
        <span>
          {minutes === null ? formatDistance(distance, locale) : t('parks.card.walk', { minutes })}
        </span>
      )}
      {rank !== null && <Rating rank={rank} count={reviews} />}
    </span>
  );
}
