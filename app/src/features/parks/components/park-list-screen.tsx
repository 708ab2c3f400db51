// The list of parks: search, sort, filters, and cards; it does everything that the map does.
import { ArrowDownUp, Plus, Search, SlidersHorizontal } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { ParkCard } from '#/features/parks/components/park-card.tsx';
import { ParkCardSkeletons } from '#/features/parks/components/park-card-skeletons.tsx';
import { ParkFilters } from '#/features/parks/components/park-filters.tsx';
import { effectiveSort, findParks } from '#/features/parks/find-parks.ts';
import {
  countFilters,
  NO_FILTERS,
  type ParkSearch,
  type Sort,
  SORTS,
} from '#/features/parks/park-search.ts';
import { useGrowingCount } from '#/features/parks/use-growing-count.ts';
import { useListedParks } from '#/features/parks/use-listed-parks.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import type { LatLong } from '#/lib/distance.ts';
import { useOnline } from '#/lib/online.ts';
import { Badge } from '#/ui/badge.tsx';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Select } from '#/ui/select.tsx';
import { TextField } from '#/ui/text-field.tsx';
import styles from './park-list-screen.module.css';

interface ParkListScreenProps {
  search: ParkSearch;
  /** Puts a change into the address. */
  onSearch: (patch: Partial<ParkSearch>) => void;
  /** Where the person is, or null. */
  here: LatLong | null;
}

/** The address follows the typing with this delay; the list follows at once. */
const ADDRESS_DELAY_MS = 250;

export function ParkListScreen({ search, onSearch, here }: ParkListScreenProps) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const online = useOnline();
  const { parks, failed, retry } = useListedParks(here);
  const [typed, setTyped] = useState(search.q ?? '');
  const [filtersOpen, setFiltersOpen] = useState(false);

  useEffect(() => {
    const asked = typed.trim() === '' ? undefined : typed;
    if (asked === search.q) return;
    const timer = setTimeout(() => {
      onSearch({ q: asked });
    }, ADDRESS_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only typing starts the clock
  }, [typed]);

  const query = useDeferredValue(typed);
  const found = useMemo(
    () => parks && findParks(parks, { ...search, q: query.trim() || undefined }, locale),
    [parks, search, query, locale],
  );
  const growing = useGrowingCount(JSON.stringify({ ...search, q: query }));
  const filters = countFilters(search);

  const body = () => {
    if (failed)
      return (
        <EmptyState
          pose="sleeping"
          text={t(online ? 'parks.list.failed' : 'errors.offline')}
          action={<Button onClick={retry}>{t('parks.list.tryAgain')}</Button>}
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
          text={t('parks.list.empty')}
          action={
            <Button
              variant="secondary"
              onClick={() => {
                setTyped('');
                onSearch({ q: undefined, ...NO_FILTERS });
              }}
            >
              {t('parks.list.clearFilters')}
            </Button>
          }
        />
      );
    return (
      <>
        <ul className={styles.list}>
          {found.slice(0, growing.count).map((park, index) => (
            <li key={park.id} className={styles.item}>
              <ParkCard park={park} eager={index < 4} />
            </li>
          ))}
        </ul>
        {found.length > growing.count && <span ref={growing.sentinel} />}
      </>
    );
  };

  return (
    <Page width="wide">
      <PageHeader
        title={t('parks.list.title')}
        subtitle={
          <span role="status">{found && t('parks.list.found', { count: found.length })}</span>
        }
        actions={
          <ButtonLink to="/parks/new" variant="quiet" icon={Plus}>
            {t('parks.list.add')}
          </ButtonLink>
        }
      />
      <div className={styles.tools}>
        <TextField
          type="search"
          icon={Search}
          label={t('parks.list.search')}
          labelHidden
          placeholder={t('parks.list.search')}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
          }}
          enterKeyHint="search"
          autoComplete="off"
          className={styles.search}
        />
        <Select<Sort>
          icon={ArrowDownUp}
          label={t('parks.list.sort')}
          labelHidden
          className={styles.sort}
          value={effectiveSort(search, here !== null)}
          options={SORTS.filter((sort) => sort !== 'distance' || here !== null).map((value) => ({
            value,
            label: t(`parks.list.sort.${value}`),
          }))}
          onChange={(sort) => {
            onSearch({ sort });
          }}
        />
        <span className={styles.filterButton}>
          <Button
            variant="secondary"
            icon={SlidersHorizontal}
            aria-haspopup="dialog"
            onClick={() => {
              setFiltersOpen(true);
            }}
          >
            {t('parks.list.filters')}
          </Button>
          <Badge
            count={filters}
            label={t('parks.list.filtersOn', { count: filters })}
            className={styles.badge}
          />
        </span>
      </div>
      {body()}
      <ParkFilters
        open={filtersOpen}
        onClose={() => {
          setFiltersOpen(false);
        }}
        search={search}
        onChange={onSearch}
        found={found?.length ?? 0}
      />
    </Page>
  );
}
