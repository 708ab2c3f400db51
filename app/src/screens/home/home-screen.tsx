// The home screen: composes the features on the map.
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { HomeMap } from '#/features/home/components/home-map.tsx';
import type { ParkFilterSearch } from '#/features/park-lists/park-filters.ts';
import { rememberOrder, usedOrder } from '#/features/park-lists/park-order.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { AddressSearch } from '#/features/places/components/address-search.tsx';
import { useLocationNeed } from '#/features/places/use-location-need.tsx';
import { whenFirstScreenComplete } from '#/core/first-screen.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { readLatLong } from '#/core/place.ts';
import type { LiveRow, MapPark } from '#/map/cluster-protocol.ts';
import { getConfig } from '#/platform/config.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { PartMissing } from '#/ui/part-missing.tsx';

const loadSelectedPark = () => import('./selected-park.tsx');
const SelectedPark = lazyPart(loadSelectedPark, PartMissing);
const Filters = lazyPart(() => import('./filters.tsx'));
const Strip = lazyPart(() => import('./strip.tsx'));
const IntroCard = lazyPart(() => import('./intro-card.tsx'));
const OfflineMapPanel = lazyPart(() => import('./offline-map.tsx'));
const WeatherBadge = lazyPart(() => import('#/features/weather/components/weather-badge.tsx'));
const LostDogs = lazyPart(() => import('./lost-dogs.tsx'));
const ClockTool = lazyPart(() => import('./clock-tool.tsx'));

const route = getRouteApi('/');

/** True if the open sheet added a history entry: closing it then goes back instead of adding another entry. */
let pushed = false;

export function HomeScreen() {
  const { lat, long, park = null, keepMap = false, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { history } = useRouter();
  useEffect(() => {
    if (park === null) pushed = false;
  }, [park]);

  function onSelected(id: number | null): void {
    if (id === park) return;
    if (id === null && pushed) return history.back();
    // Switching between parks replaces the entry, so that back closes the sheet instead of going through all parks.
    const replace = id === null || park !== null;
    if (!replace) pushed = true;
    void navigate({ search: (now) => ({ ...now, park: id ?? undefined }), replace });
  }

  useEffect(() => {
    // Preload the sheet for the first tap on a marker. That tap reports a failure, so ignore it here.
    void whenFirstScreenComplete()
      .then(loadSelectedPark)
      .catch(() => undefined);
  }, []);

  const passedIn = useMemo(() => readLatLong(lat, long), [lat, long]);
  const [ready, setReady] = useState(false);
  /** IDs of the parks that match the filters; null without filters. */
  const [only, setOnly] = useState<readonly number[] | null>(null);
  const filter = (patch: ParkFilterSearch) =>
    void navigate({ search: (now) => ({ ...now, ...patch }), replace: true });
  const { data } = useParkLive(ready);
  const live = useMemo(
    () =>
      data &&
      Object.entries(data)
        .map(([id, { dogs_now: dogs }]): LiveRow => ({ id: Number(id), dogs }))
        // Omit parks without dogs, which the response contains if they have reports.
        .filter(({ dogs }) => dogs > 0),
    [data],
  );
  const [order, setOrder] = useState(usedOrder);
  const [best, setBest] = useState<MapPark | null>(null);
  /** Usual dogs at another hour that the user chose. */
  const [usual, setUsual] = useState<LiveRow[] | null>(null);
  const location = useLocationNeed();
  const [isFirstVisit, setFirstVisit] = useState(
    () => readLocal('welcomed') === null && readLocal('wasIn') === null,
  );
  function closeIntro(): void {
    setFirstVisit(false);
    writeLocal('welcomed', 'yes');
  }
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });

  return (
    <>
      <HomeMap
        entry={entry}
        passedIn={passedIn}
        parkId={park}
        onSelected={onSelected}
        live={usual ?? live}
        onReady={() => setReady(true)}
        location={location}
        intro={
          (isFirstVisit || location.isUndecided) && (
            <IntroCard
              isFirstVisit={isFirstVisit}
              onLocation={
                location.isUndecided
                  ? () => {
                      closeIntro();
                      void location.allow();
                    }
                  : null
              }
              onClose={() => {
                closeIntro();
                if (location.isUndecided) location.later();
              }}
            />
          )
        }
        search={(go) => <AddressSearch variant="raised" onPlace={go} />}
        filters={
          <Filters
            address={filters}
            order={order}
            onOrder={(next) => {
              rememberOrder(next);
              setOrder(next);
            }}
            onChange={filter}
            onMatching={setOnly}
          />
        }
        filtered={
          only && {
            count: only.length,
            clear: () => void navigate({ search: { lat, long }, replace: true }),
          }
        }
        strip={(slot) => (
          <Strip {...slot} only={only} order={order} onBest={setBest} onUsual={setUsual} />
        )}
        tools={(map) => (
          <>
            <LostDogs map={map} />
            {getConfig().map && keepMap && (
              <OfflineMapPanel
                map={map}
                onClose={() =>
                  void navigate({
                    search: (now) => ({ ...now, keepMap: undefined }),
                    replace: true,
                  })
                }
              />
            )}
            {best && <ClockTool park={best} />}
          </>
        )}
        weather={(place) => <WeatherBadge place={place} />}
        popup={(slot) => <SelectedPark key={slot.park.id} {...slot} />}
      />
      {location.sheet}
    </>
  );
}
