// The results below the controls: cards, skeletons, or the reason why nothing is found.
import { ParkCards, type ParkCardsParts } from '#/features/park-lists/components/park-cards.tsx';
import type { ListedPark } from '#/features/park-lists/find-parks.ts';
import { useGrowingCount } from '#/features/park-lists/use-growing-count.ts';
import { useT } from '#/i18n/i18n.ts';
import { useOnline } from '#/platform/online.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import card from './park-card.module.css';
import list from './park-cards.module.css';

interface ParkResultsProps extends ParkCardsParts {
  /** `parks` are all parks and `found` those that match the search, in order. Both are undefined while loading. */
  parks: readonly ListedPark[] | undefined;
  found: readonly ListedPark[] | undefined;
  failed: boolean;
  /** Set if the search has filters or only text; null if all parks are shown. */
  narrowed: 'filters' | 'text' | null;
  /** The list returns to the first cards when this key changes. */
  searchKey: string;
  onRetry: () => void;
  onClear: () => void;
}

export function ParkResults(props: ParkResultsProps) {
  const { parks, found, failed, narrowed, searchKey, onRetry, onClear, ...parts } = props;
  const t = useT();
  const online = useOnline();
  const { count, sentinel } = useGrowingCount(searchKey);
  if (failed)
    return (
      <EmptyState
        pose="sleeping"
        text={t(online ? 'parks.failed' : 'errors.offline')}
        action={<Button onClick={onRetry}>{t('ui.failed.tryAgain')}</Button>}
      />
    );
  if (!found || !parks) return <ParkCardSkeletons />;
  if (parks.length === 0)
    return (
      <EmptyState
        text={t('parks.list.none')}
        action={<ButtonLink to="/parks/new">{t('ui.addPark')}</ButtonLink>}
      />
    );
  if (found.length === 0)
    return (
      <EmptyState
        pose="sniffing"
        text={t(narrowed === 'text' ? 'parks.list.notFound' : 'parks.list.empty')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t(narrowed === 'text' ? 'parks.list.clearSearch' : 'parks.list.clearFilters')}
          </Button>
        }
      />
    );
  return (
    <>
      <ParkCards parks={found.slice(0, count)} {...parts} />
      {found.length > count && <span ref={sentinel} />}
    </>
  );
}

const ParkCardSkeletons = () => (
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
