// Placeholders of the cards while the parks are loading.
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './card-skeletons.module.css';

export const CardSkeletons = () => (
  <div className={styles.cards}>
    {[1, 2, 3].map((card) => (
      <Skeleton key={card} height="7rem" className={styles.card} />
    ))}
  </div>
);
