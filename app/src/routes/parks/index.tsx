// /parks: the list of parks.
import { createFileRoute } from '@tanstack/react-router';
import { parkDetailsQueryOptions } from '#/features/parks/queries/park-details.ts';
import { parkListQueryOptions } from '#/features/parks/queries/park-list.ts';
import { ParkListScreen } from '#/features/parks/components/park-list-screen.tsx';
import { parkSearchSchema } from '#/features/parks/park-search.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import { Verdict } from '#/routes/-verdict.tsx';
import { locateQuietly, useHere } from '#/platform/here.ts';

export const Route = createFileRoute('/parks/')({
  validateSearch: parkSearchSchema,
  // The screen shows skeletons meanwhile: nothing here is waited for.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(parkListQueryOptions(currentLanguage()));
    void queryClient.prefetchQuery(parkDetailsQueryOptions());
    // Never asks: the list works without a place, and the map does the asking.
    void locateQuietly();
  },
  component: ParksRoute,
});

function ParksRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ParkListScreen
      search={search}
      here={useHere().place}
      verdict={(park) => <Verdict park={park} />}
      onSearch={(patch) => {
        void navigate({
          search: (now) => ({ ...now, ...patch }),
          replace: true,
          resetScroll: false,
        });
      }}
    />
  );
}
