// The home map: puts the features that meet on it together.
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { HomeScreen } from '#/features/home/components/home-screen.tsx';
import { liveRows } from '#/features/home/live-rows.ts';
import { parkLiveQueryOptions } from '#/features/parks/queries/park-live.ts';
import { AddressSearch } from '#/features/places/components/address-search.tsx';
import { useLocationNeed } from '#/features/places/use-location-need.tsx';
import { currentLanguage } from '#/i18n/i18n.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { readLatLong } from '#/core/place.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { parkSource } from '#/map/park-source.ts';
import { PartMissing } from '#/ui/part-missing.tsx';

const loadSelectedPark = () => import('#/routes/-home/selected-park.tsx');
const SelectedPark = lazyPart(loadSelectedPark, PartMissing);
const WeatherBadge = lazyPart(() => import('#/features/weather/components/weather-badge.tsx'));

export const Route = createFileRoute('/')({
  // ?lat=…&long=…: where the map should look; anything that is no place is ignored.
  validateSearch: (search: Record<string, unknown>): { lat?: number; long?: number } =>
    readLatLong(search.lat, search.long) ?? {},
  // The worker fetches its parks while this route's own code is still on its way.
  loader: () => {
    clusterClient().load(parkSource(currentLanguage()));
  },
  component: HomeRoute,
});

function HomeRoute() {
  const { lat, long } = Route.useSearch();
  const passedIn = useMemo(() => readLatLong(lat, long), [lat, long]);
  const [ready, setReady] = useState(false);
  const { data } = useQuery({ ...parkLiveQueryOptions(), enabled: ready });
  const live = useMemo(() => data && liveRows(data), [data]);
  const location = useLocationNeed();

  return (
    <>
      <HomeScreen
        passedIn={passedIn}
        live={live}
        onReady={() => {
          setReady(true);
          // The first tap on a marker should not wait for it; a failure is the tap's to tell.
          loadSelectedPark().catch(() => undefined);
        }}
        location={location}
        search={(go) => <AddressSearch variant="raised" onPlace={go} />}
        weather={(place) => (
          <Suspense>
            <WeatherBadge place={place} />
          </Suspense>
        )}
        popup={(slot) => (
          <Suspense>
            <SelectedPark key={slot.park.id} {...slot} />
          </Suspense>
        )}
      />
      {location.sheet}
    </>
  );
}
