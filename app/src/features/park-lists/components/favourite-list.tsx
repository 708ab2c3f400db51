// Favourite parks, newest first, with the same cards as the list of all parks.
import { ParkCards, type ParkCardsParts } from '#/features/park-lists/components/park-cards.tsx';
import { useListedParks } from '#/features/park-lists/use-listed-parks.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';

interface FavouriteListProps extends ParkCardsParts {
  parkIds: readonly number[];
  mine: boolean;
  here: LatLong | null;
}

export function FavouriteList({ parkIds, mine, here, ...parts }: FavouriteListProps) {
  const t = useT();
  const { parks, failed, retry } = useListedParks(here);
  if (parkIds.length === 0)
    return (
      <EmptyState
        pose="sitting"
        text={t('favourites.empty')}
        action={mine && <ButtonLink to="/parks">{t('ui.findPark')}</ButtonLink>}
      />
    );
  if (failed)
    return (
      <EmptyState
        pose="sleeping"
        text={t('parks.failed')}
        action={<Button onClick={retry}>{t('ui.failed.tryAgain')}</Button>}
      />
    );
  if (!parks) return <Skeleton height="12rem" />;
  const byId = new Map(parks.map((park) => [park.id, park]));
  return <ParkCards parks={parkIds.flatMap((id) => byId.get(id) ?? [])} {...parts} />;
}
