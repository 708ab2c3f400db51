// The filters above the map: chips, the sheet with all filters, and the matching parks. Loaded once the map is usable.
import { useEffect, useMemo, useState } from 'react';
import { FilterChips } from '#/features/park-lists/components/filter-chips.tsx';
import { ParkFilters } from '#/features/park-lists/components/park-filters.tsx';
import type { ParkOrder } from '#/features/park-lists/park-order.ts';
import {
  countFilters,
  filtersOf,
  parseParkSearch,
  type ParkFilterSearch,
  passesFilters,
} from '#/features/park-lists/park-filters.ts';
import { useParkList } from '#/entities/parks/park-list-query.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { useListedParks } from '#/features/park-lists/use-listed-parks.ts';
import { useT } from '#/i18n/i18n.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { useStart } from '#/platform/here.ts';
import { useAnnounce } from '#/ui/announcements.ts';
import { showError } from '#/ui/toast.ts';

interface FiltersProps {
  address: object;
  order: ParkOrder;
  onOrder: (order: ParkOrder) => void;
  onChange: (patch: ParkFilterSearch) => void;
  /** Called with the parks that match the filters; null without filters. */
  onMatching: (ids: readonly number[] | null) => void;
}

export default function Filters({ address, order, onOrder, onChange, onMatching }: FiltersProps) {
  const t = useT();
  const json = JSON.stringify(address);
  const search = useMemo(
    () => filtersOf(parseParkSearch(JSON.parse(json) as Record<string, unknown>)),
    [json],
  );
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState<readonly number[]>();
  const isOn = countFilters(search) > 0;
  useEffect(() => {
    const ids = isOn ? (found ?? null) : null;
    clusterClient().setOnly(ids);
    onMatching(ids);
  }, [isOn, found, onMatching]);
  // Remove the filter on unmount, because the worker outlives this screen and is used by other screens, too.
  useEffect(() => () => clusterClient().setOnly(null), []);
  const count = isOn && found ? t('parks.list.found', { count: found.length }) : '';
  useAnnounce(open ? null : count);
  return (
    <>
      <FilterChips raised search={search} onChange={onChange} onOpen={() => setOpen(true)} />
      {(isOn || open) && <Matching search={search} onFound={setFound} />}
      <ParkFilters
        open={open}
        onClose={() => setOpen(false)}
        search={search}
        onChange={onChange}
        placed={useStart() !== null}
        found={found?.length}
        order={{ value: order, onChange: onOrder }}
      />
    </>
  );
}

interface MatchingProps {
  search: ParkFilterSearch;
  onFound: (ids: readonly number[]) => void;
}

/** Loads the list file with the facts of all parks, which the map does not need, and reports the matching parks. */
function Matching({ search, onFound }: MatchingProps) {
  const { parks } = useListedParks(useStart());
  const { error } = useParkList();
  const live = useParkLive();
  // Wait until live counts have loaded or failed (they are missing offline), because filters by dogs require them.
  const isKnown = !live.isPending;
  useEffect(() => {
    if (error && !parks) showError(error);
  }, [error, parks]);
  const found = useMemo(
    () =>
      isKnown
        ? parks?.filter((park) => passesFilters(park, search)).map(({ id }) => id)
        : undefined,
    [parks, isKnown, search],
  );
  // Report only changes: counts arrive every 15 seconds and usually leave the matching parks the same.
  const key = found?.join();
  useEffect(() => {
    if (key !== undefined) onFound(key === '' ? [] : key.split(',').map(Number));
  }, [key, onFound]);
  return null;
}
