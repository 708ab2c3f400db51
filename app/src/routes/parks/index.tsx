// /parks: the list of parks.
import { createFileRoute } from '@tanstack/react-router';
import { parkListQueryOptions } from '#/entities/parks/park-list-query.ts';
import type { ParkSearch } from '#/features/park-lists/park-filters.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import { locateQuietly } from '#/platform/here.ts';
import { ParksScreen } from '#/screens/park-list/parks-screen.tsx';

export const Route = createFileRoute('/parks/')({
  // Parsed leniently by the screen, so that the parser is loaded with the screen.
  validateSearch: (address: Record<string, unknown>): ParkSearch => address,
  // Does not wait, because the screen shows skeletons.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(parkListQueryOptions(currentLanguage()));
    // Use the location only if it is permitted, because the list works without it.
    void locateQuietly();
  },
  component: ParksScreen,
});
