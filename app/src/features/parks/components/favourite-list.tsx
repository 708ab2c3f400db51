// My favourite parks: names and places from the list file.
import { Link } from '@tanstack/react-router';
import { useParkList } from '#/features/parks/api/park-list.ts';
import { useT } from '#/i18n/i18n.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { Card } from '#/ui/card.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './favourite-list.module.css';

export function FavouriteList({ parkIds }: { parkIds: readonly number[] }) {
  const t = useT();
  const { data: parks, isPending } = useParkList();
  if (parkIds.length === 0)
    return (
      <EmptyState
        pose="sitting"
        text={t('parks.favourites.empty')}
        action={<ButtonLink to="/parks">{t('parks.favourites.find')}</ButtonLink>}
      />
    );
  if (isPending) return <Skeleton height="12rem" />;
  const byId = new Map(parks?.map((park) => [park.id, park]));
  return (
    <ul className={styles.list}>
      {parkIds.map((id) => {
        const park = byId.get(id);
        return (
          park && (
            <Card as="li" key={id} className={styles.park}>
              <Link to="/parks/$parkId" params={{ parkId: id }} className={styles.name}>
                {park.name}
              </Link>
              <p className={styles.place}>{[park.address, park.city].filter(Boolean).join(', ')}</p>
            </Card>
          )
        );
      })}
    </ul>
  );
}
