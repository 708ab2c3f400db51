// Favourite parks, newest first, as the list of all parks shows them.
import type { ReactNode } from 'react';
import { ParkCard } from '#/features/parks/components/park-card.tsx';
import type { ListedPark } from '#/features/parks/find-parks.ts';
import { useListedParks } from '#/features/parks/use-listed-parks.ts';
import type { FriendThere } from '#/data/friends-there.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './favourite-list.module.css';

interface FavouriteListProps {
  parkIds: readonly number[];
  mine: boolean;
  /** Where the person is, or null. */
  here: LatLong | null;
  /** Who are at a park now. */
  friends: readonly FriendThere[];
  verdict: (park: ListedPark) => ReactNode;
  /** What a card shows of a park without a photo. */
  scene: (park: ListedPark) => ReactNode;
}

export function FavouriteList({
  parkIds,
  mine,
  here,
  friends,
  verdict,
  scene,
}: FavouriteListProps) {
  const t = useT();
  const { parks, failed, retry } = useListedParks(here);
  if (parkIds.length === 0)
    return (
      <EmptyState
        pose="sitting"
        text={t('favourites.empty')}
        action={mine && <ButtonLink to="/parks">{t('favourites.find')}</ButtonLink>}
      />
    );
  if (failed)
    return (
      <EmptyState
        pose="sleeping"
        text={t('parks.list.failed')}
        action={<Button onClick={retry}>{t('parks.list.tryAgain')}</Button>}
      />
    );
  if (!parks) return <Skeleton height="12rem" />;
  const byId = new Map(parks.map((park) => [park.id, park]));
  return (
    <ul className={styles.list}>
      {parkIds.map((id, index) => {
        const park = byId.get(id);
        return (
          park && (
            <li key={id} className={styles.park}>
              <ParkCard
                park={park}
                eager={index < 4}
                friends={friends}
                verdict={verdict(park)}
                scene={scene(park)}
              />
            </li>
          )
        );
      })}
    </ul>
  );
}
