// The home map: puts the features that meet on it together.
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { HomeScreen } from '#/features/home/components/home-screen.tsx';
import type { ParkFilterSearch } from '#/features/park-lists/park-filters.ts';
import { useParkLive } from '#/data/parks/park-live.ts';
import { AddressSearch } from '#/features/places/components/address-search.tsx';
import { useLocationNeed } from '#/features/places/use-location-need.tsx';
import { lazyPart } from '#/core/lazy-part.ts';
import { readLatLong } from '#/core/place.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { LiveRow } from '#/map/cluster-protocol.ts';
import { getConfig } from '#/platform/config.ts';
import type { Best } from '#/routes/-home/now-line.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';

const loadSelectedPark = () => import('#/routes/-home/selected-park.tsx');
const SelectedPark = lazyPart(loadSelectedPark, PartMissing);
const Filters = lazyPart(() => import('#/routes/-home/filters.tsx'));
const Strip = lazyPart(() => import('#/routes/-home/strip.tsx'));
const KeepMap = lazyPart(() => import('#/routes/-home/keep-map.tsx'));
const WeatherBadge = lazyPart(() => import('#/features/weather/components/weather-badge.tsx'));
const NowLine = lazyPart(() => import('#/routes/-home/now-line.tsx'));
const LostDogs = lazyPart(() => import('#/routes/-home/lost-dogs.tsx'));
const ClockTool = lazyPart(() => import('#/routes/-home/clock-tool.tsx'));

interface HomeSearch extends ParkFilterSearch {
  lat?: number | undefined;
  long?: number | undefined;
  park?: number | undefined;
}

/** Whether the open sheet has an entry of its own in the history: closing it goes back, rather than leaving a copy behind. */
let pushed = false;

export const Route = createFileRoute('/')({
  // ?lat=…&long=…: where the map should look; anything that is no place is ignored.
  // ?park=…: whose sheet is open, so that back closes it.
  // All else are filters, which -home/filters.tsx reads leniently.
  validateSearch: ({ lat, long, park, ...filters }: Record<string, unknown>): HomeSearch => ({
    ...filters,
    ...readLatLong(lat, long),
    ...(Number.isSafeInteger(park) && { park: Number(park) }),
  }),
  // The worker fetches its parks while this route's own code is still on its way.
  loader: () => clusterClient().load(),
  component: HomeRoute,
});

function HomeRoute() {
  const { lat, long, park = null, ...filters } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { history } = useRouter();
  useEffect(() => {
    if (park === null) pushed = false;
  }, [park]);

  function onSelected(id: number | null): void {
    if (id === park) return;
    if (id === null && pushed) return history.back();
    // From one park to another, back closes the sheet rather than walking through all that were looked at.
    const replace = id === null || park !== null;
    if (!replace) pushed = true;
    void navigate({ search: (now) => ({ ...now, park: id ?? undefined }), replace });
  }

  const passedIn = useMemo(() => readLatLong(lat, long), [lat, long]);
  const [ready, setReady] = useState(false);
  /** The parks that the filters leave; null where none is on. */
  const [only, setOnly] = useState<readonly number[] | null>(null);
  const filter = (patch: ParkFilterSearch) =>
    void navigate({ search: (now) => ({ ...now, ...patch }), replace: true });
  const { data } = useParkLive(ready);
  const live = useMemo(
    () =>
      data &&
      Object.entries(data)
        .map(([id, { dogs_now: dogs }]): LiveRow => ({ id: Number(id), dogs }))
        // Of the others only what is reported is known.
        .filter(({ dogs }) => dogs > 0),
    [data],
  );
  const [best, setBest] = useState<Best | null>(null);
  /** Dogs that are usually there at another hour, which the person chose. */
  const [usual, setUsual] = useState<LiveRow[] | null>(null);
  const location = useLocationNeed();
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });

  return (
    <>
      <HomeScreen
        entry={entry}
        passedIn={passedIn}
        parkId={park}
        onSelected={onSelected}
        live={usual ?? live}
        onReady={() => {
          setReady(true);
          // The first tap on a marker should not wait for it; a failure is the tap's to tell.
          loadSelectedPark().catch(() => undefined);
        }}
        location={location}
        search={(go) => <AddressSearch variant="raised" onPlace={go} />}
        filters={<Filters address={filters} onChange={filter} onMatching={setOnly} />}
        filtered={
          only && {
            count: only.length,
            clear: () => void navigate({ search: { lat, long }, replace: true }),
          }
        }
        strip={(slot) => <Strip {...slot} only={only} onBest={setBest} onUsual={setUsual} />}
        tools={(map) => (
          <>
            <LostDogs map={map} />
            {getConfig().map && <KeepMap map={map} />}
            {best && <ClockTool park={best.park} />}
          </>
        )}
        weather={(place, select) => (
          <>
            <NowLine best={best} onSelect={select} />
            <WeatherBadge place={place} />
          </>
        )}
        popup={(slot) => <SelectedPark key={slot.park.id} {...slot} />}
      />
      {location.sheet}
    </>
  );
}
