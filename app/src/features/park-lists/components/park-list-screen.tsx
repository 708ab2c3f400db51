// The list of parks with search, order, filters and cards. It has the same functions as the map.
import { ArrowDownUp, Map, Plus, Search } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { FilterChips } from '#/features/park-lists/components/filter-chips.tsx';
import { ParkFilters } from '#/features/park-lists/components/park-filters.tsx';
import type { ParkCardsParts } from '#/features/park-lists/components/park-cards.tsx';
import { ParkResults } from '#/features/park-lists/components/park-results.tsx';
import {
  type BestFirst,
  effectiveSort,
  findParks,
  type ListedPark,
  needsPlace,
} from '#/features/park-lists/find-parks.ts';
import {
  countFilters,
  filtersOf,
  NO_FILTERS,
  parseParkSearch,
  type ParkSearch,
  type Sort,
  SORTS,
} from '#/features/park-lists/park-filters.ts';
import { useListedParks } from '#/features/park-lists/use-listed-parks.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { useTypedSearch } from '#/core/use-typed-search.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { Page } from '#/ui/page.tsx';
import { PageHeader } from '#/ui/page-header.tsx';
import { Select } from '#/ui/select.tsx';
import { TextField } from '#/ui/text-field.tsx';
import styles from './park-list-screen.module.css';

interface ParkListScreenProps extends ParkCardsParts {
  search: ParkSearch;
  onSearch: (patch: Partial<ParkSearch>) => void;
  here: LatLong | null;
  bestFirst: BestFirst;
  /** Renders the reasons that all ranked parks share. @param first the first park */
  shared: (first: ListedPark) => ReactNode;
}

export function ParkListScreen(props: ParkListScreenProps) {
  const { search, onSearch, here, bestFirst, shared, ...parts } = props;
  const t = useT();
  const locale = useLocale();
  const { parks, failed, retry } = useListedParks(here);
  const [typed, setTyped] = useTypedSearch(search.q ?? '', (text) =>
    onSearch({ q: text || undefined }),
  );
  const [filtersOpen, setFiltersOpen] = useState(false);

  const sort = effectiveSort(search, here !== null);

  const query = useDeferredValue(typed);
  const found = useMemo(
    () => parks && findParks(parks, { ...search, q: query.trim() || undefined }, locale, bestFirst),
    [parks, search, query, locale, bestFirst],
  );

  const inOrder = found !== undefined && found.length > 0;

  return (
    <Page width="wide">
      <PageHeader
        title={t('parks.list.title')}
        subtitle={
          <>
            <span role="status">{found && t('parks.list.found', { count: found.length })}</span>
            {/* The chosen order needs a location, so another order is used. */}
            {inOrder &&
              here === null &&
              needsPlace(search.sort) &&
              ` · ${t('parks.list.order.noPlace')}`}
          </>
        }
        actions={
          <ButtonLink to="/parks/new" variant="quiet" icon={Plus}>
            {t('ui.addPark')}
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
          onChange={(event) => setTyped(event.target.value)}
          enterKeyHint="search"
          autoComplete="off"
          className={styles.search}
        />
        <Select<Sort>
          icon={ArrowDownUp}
          label={t('parks.list.sort')}
          labelHidden
          value={sort}
          options={SORTS.filter((sort) => !needsPlace(sort) || here !== null).map((value) => ({
            value,
            label: t(`parks.list.sort.${value}`),
          }))}
          onChange={(sort) => onSearch({ sort })}
        />
        <ButtonLink
          from="/parks/"
          to="/"
          // Read the URL on click, because a filter that was just chosen may not be rendered yet.
          search={(now) => filtersOf(parseParkSearch({ ...now }))}
          variant="secondary"
          icon={Map}
        >
          {t('parks.list.map')}
        </ButtonLink>
        <div className={styles.filters}>
          <FilterChips search={search} onChange={onSearch} onOpen={() => setFiltersOpen(true)} />
        </div>
      </div>
      {found?.[0] && shared(found[0])}
      <ParkResults
        parks={parks}
        found={found}
        failed={failed}
        narrowed={countFilters(search) > 0 ? 'filters' : query.trim() ? 'text' : null}
        searchKey={JSON.stringify({ ...search, q: query })}
        {...parts}
        onRetry={retry}
        onClear={() => {
          setTyped('');
          onSearch({ q: undefined, ...NO_FILTERS });
        }}
      />
      <ParkFilters
        open={filtersOpen}
        onClose={() => setFiltersOpen(false)}
        search={search}
        onChange={onSearch}
        placed={here !== null}
        found={found?.length}
      />
    </Page>
  );
}
