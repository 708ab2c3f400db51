// What is strong about a park in one line: who is there now, the way there, the rating.
import { PawPrint } from 'lucide-react';
import { Rating } from '#/ui/rating.tsx';
import { WalkingTime } from '#/features/park-lists/components/walking-time.tsx';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './park-live-line.module.css';

interface ParkLiveLineProps {
  /** Now; null where unknown. */
  dogs: number | null;
  /** Metres from the person, or null. */
  distance: number | null;
  rank: number | null;
  reviews?: number | undefined;
}

export function ParkLiveLine({ dogs, distance, rank, reviews }: ParkLiveLineProps) {
  const t = useT();
  return (
    <span className={styles.line}>
      {dogs !== null && (
        <span className={styles.dogs} data-lively={dogs > 0}>
          <Icon of={PawPrint} size={18} />
          {t('parks.dogsNow', { count: dogs })}
        </span>
      )}
      {distance !== null && <WalkingTime metres={distance} />}
      {rank !== null && <Rating rank={rank} count={reviews} />}
    </span>
  );
}
