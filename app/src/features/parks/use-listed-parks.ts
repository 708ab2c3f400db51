// The list's rows: the published file, joined with facts, who is there now and how far it is.
import { useMemo } from 'react';
import { useParkDetails } from '#/features/parks/queries/park-details.ts';
import { useParkList } from '#/features/parks/queries/park-list.ts';
import { useParkLive } from '#/features/parks/queries/park-live.ts';
import {
  joinParks,
  searchable,
  type ListedPark,
  type ParkLive,
} from '#/features/parks/find-parks.ts';
import type { LatLong } from '#/core/distance.ts';

interface ListedParks {
  /** Undefined until the list file is here. */
  parks: ListedPark[] | undefined;
  /** The list file could not be had. */
  failed: boolean;
  retry: () => void;
}

/** The answer names only parks with something to say; the others are known to be empty. */
const NOBODY: ParkLive = {
  dogs_now: 0,
  busy_level: 'quiet',
  average_rank: null,
  review_count: 0,
  conditions: [],
};

/** Facts and counts may come later than the list, or not at all: the list does not wait for them. */
export function useListedParks(here: LatLong | null): ListedParks {
  const list = useParkList();
  const details = useParkDetails().data;
  const live = useParkLive().data;
  const folded = useMemo(() => list.data && searchable(list.data), [list.data]);
  const parks = useMemo(
    () =>
      folded &&
      joinParks(
        folded,
        (id) => details?.[id] ?? null,
        (id) => (live ? (live[id] ?? NOBODY) : null),
        here,
      ),
    [folded, details, live, here],
  );
  return {
    parks,
    failed: list.isError && !list.data,
    retry: () => {
      void list.refetch();
    },
  };
}
