// The shape of the list while it is on its way.
import { Skeleton } from '#/ui/skeleton.tsx';
import card from './park-card.module.css';
import list from './park-cards.module.css';

export const ParkCardSkeletons = () => (
  <div className={list.list} aria-busy="true">
    {Array.from({ length: 6 }, (_, index) => (
      <div key={index} className={card.card}>
        <Skeleton height="100%" className={card.photo ?? ''} />
        <span className={card.body}>
          <Skeleton width="70%" height="1.3em" />
          <Skeleton width="90%" />
          <Skeleton width="50%" />
        </span>
      </div>
    ))}
  </div>
);
