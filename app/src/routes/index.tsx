// The home map: puts the features that meet on it together.
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
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
const Strip = lazyPart(() => import('#/routes/-home/strip.tsx'));
const WeatherBadge = lazyPart(() => import('#/features/weather/components/weather-badge.tsx'));

interface HomeSearch {
  lat?: number | undefined;
  long?: number | undefined;
  park?: number | undefined;
}

/** Whether the open sheet has an entry of its own in the history: closing it goes back, rather than leaving a copy behind. */
let pushed = false;

export const Route = createFileRoute('/')({
  // ?lat=…&long=…: where the map should look; anything that is no place is ignored.
  // ?park=…: whose sheet is open, so that back closes it.
  validateSearch: ({ lat, long, park }: Record<string, unknown>): HomeSearch => ({
    ...readLatLong(lat, long),
    ...(Number.isSafeInteger(park) && { park: Number(park) }),
  }),
  // The worker fetches its parks while this route's own code is still on its way.
  loader: () => {
    clusterClient().load(parkSource(currentLanguage()));
  },
  component: HomeRoute,
});

function HomeRoute() {
  const { lat, long, park = null } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { history } = useRouter();
  useEffect(() => {
    if (park === null) pushed = false;
  }, [park]);

  function onSelected(id: number | null): void {
    if (id === park) return;
    if (id === null && pushed) {
      history.back();
      return;
    }
    // From one park to another, back closes the sheet rather than walking through all that were looked at.
    const replace = id === null || park !== null;
    if (!replace) pushed = true;
    void navigate({
      search: (now) => ({ ...now, park: id ?? undefined }),
      replace,
    });
  }

  const passedIn = useMemo(() => readLatLong(lat, long), [lat, long]);
  const [ready, setReady] = useState(false);
  const { data } = useQuery({ ...parkLiveQueryOptions(), enabled: ready });
  const live = useMemo(() => data && liveRows(data), [data]);
  const location = useLocationNeed();

  return (
    <>
      <HomeScreen
        passedIn={passedIn}
        parkId={park}
        onSelected={onSelected}
        live={live}
        onReady={() => {
          setReady(true);
          // The first tap on a marker should not wait for it; a failure is the tap's to tell.
          loadSelectedPark().catch(() => undefined);
        }}
        location={location}
        search={(go) => <AddressSearch variant="raised" onPlace={go} />}
        strip={(slot) => (
          <Suspense>
            <Strip {...slot} />
          </Suspense>
        )}
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
