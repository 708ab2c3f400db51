// /parks: the list of parks.
import { createFileRoute } from '@tanstack/react-router';
import { parkListQueryOptions } from '#/entities/parks/park-list-query.ts';
import type { ParkSearch } from '#/features/park-lists/park-filters.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import { locateQuietly } from '#/platform/here.ts';
import { ParksScreen } from '#/screens/park-list/parks-screen.tsx';

export const Route = createFileRoute('/parks/')({
  // The screen reads it leniently; the rules for that load with it.
  validateSearch: (address: Record<string, unknown>): ParkSearch => address,
  // The screen shows skeletons meanwhile: nothing here is waited for.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(parkListQueryOptions(currentLanguage()));
    // Never asks: the list works without a place, and the map does the asking.
    void locateQuietly();
  },
  component: ParksScreen,
});
