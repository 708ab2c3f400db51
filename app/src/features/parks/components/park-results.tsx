// What the list shows below its tools: parks as cards, their skeletons, or why there are none.
import type { ReactNode } from 'react';
import { ParkCard } from '#/features/parks/components/park-card.tsx';
import { ParkCardSkeletons } from '#/features/parks/components/park-card-skeletons.tsx';
import type { ListedPark } from '#/features/parks/find-parks.ts';
import { useGrowingCount } from '#/features/parks/use-growing-count.ts';
import type { FriendThere } from '#/data/friends-there.ts';
import { useT } from '#/i18n/i18n.ts';
import { useOnline } from '#/platform/online.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import styles from './park-results.module.css';

interface ParkResultsProps {
  /** All parks, and those that the search leaves in its order; undefined until the list is here. */
  parks: readonly ListedPark[] | undefined;
  found: readonly ListedPark[] | undefined;
  failed: boolean;
  /** By what it is narrowed: filters, or words alone; null: all parks. */
  narrowed: 'filters' | 'words' | null;
  /** A change starts again with the first cards. */
  searchKey: string;
  /** Who are at a park now. */
  friends: readonly FriendThere[];
  verdict: (park: ListedPark) => ReactNode;
  scene: (park: ListedPark) => ReactNode;
  onRetry: () => void;
  /** Forgets search and filters. */
  onClear: () => void;
}

export function ParkResults({
  parks,
  found,
  failed,
  narrowed,
  searchKey,
  friends,
  verdict,
  scene,
  onRetry,
  onClear,
}: ParkResultsProps) {
  const t = useT();
  const online = useOnline();
  const { count, sentinel } = useGrowingCount(searchKey);
  if (failed)
    return (
      <EmptyState
        pose="sleeping"
        text={t(online ? 'parks.list.failed' : 'errors.offline')}
        action={<Button onClick={onRetry}>{t('parks.list.tryAgain')}</Button>}
      />
    );
  if (!found || !parks) return <ParkCardSkeletons />;
  if (parks.length === 0)
    return (
      <EmptyState
        text={t('parks.list.none')}
        action={<ButtonLink to="/parks/new">{t('parks.list.add')}</ButtonLink>}
      />
    );
  if (found.length === 0)
    return (
      <EmptyState
        pose="sniffing"
        text={t(narrowed === 'words' ? 'parks.list.notFound' : 'parks.list.empty')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t(narrowed === 'words' ? 'parks.list.clearSearch' : 'parks.list.clearFilters')}
          </Button>
        }
      />
    );
  return (
    <>
      <ul className={styles.list}>
        {found.slice(0, count).map((park, index) => (
          <li key={park.id} className={styles.item}>
            <ParkCard
              park={park}
              eager={index < 4}
              friends={friends}
              verdict={verdict(park)}
              scene={scene(park)}
            />
          </li>
        ))}
      </ul>
      {found.length > count && <span ref={sentinel} />}
    </>
  );
}
