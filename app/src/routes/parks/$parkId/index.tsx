// /parks/{id}/: the general page of a park.
import { createFileRoute } from '@tanstack/react-router';
import { CloudSun, Navigation } from 'lucide-react';
import { Suspense, useState } from 'react';
import { CheckInButton } from '#/features/check-ins/components/check-in-button.tsx';
import { StayLonger } from '#/features/check-ins/components/stay-longer.tsx';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { ParkConditions } from '#/features/live-reports/components/park-conditions.tsx';
import { parkCardQueryOptions, useBusyHours } from '#/features/parks/queries/park-card.ts';
import { parkWords, usePark, type Park } from '#/features/parks/queries/park.ts';
import { hazardsNow, useParkStatus } from '#/features/parks/queries/park-status.ts';
import { BusyHoursCard } from '#/features/parks/components/busy-hours-card.tsx';
import { goNow } from '#/features/parks/go-now.ts';
import { GoNowLine } from '#/features/parks/components/go-now-line.tsx';
import { LiveCard } from '#/features/parks/components/live-card.tsx';
import { HoursCard } from '#/features/parks/components/hours-card.tsx';
import { ParkAbout } from '#/features/parks/components/park-about.tsx';
import { ParkColumns } from '#/features/parks/components/park-columns.tsx';
import { PawsCard } from '#/features/parks/components/paws-card.tsx';
import { groundLevel, surfacesToday } from '#/features/parks/ground-temperature.ts';
import { hoursOfPark } from '#/features/parks/hours-of-park.ts';
import { closedWarning } from '#/features/parks/hours-words.ts';
import { ParkGallery } from '#/features/photos/components/park-gallery.tsx';
import { useWeather } from '#/features/weather/queries/weather.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { parkClock, parkHour } from '#/core/park-time.ts';
import { useSession } from '#/data/session/session.ts';
import { Button } from '#/ui/button.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import { useAsOf } from '#/core/use-as-of.ts';
import { useNow } from '#/core/use-now.ts';
import { Scene } from '#/routes/-scene.tsx';
import { goNowInput, groundsOf, hoursOfForecast } from '#/routes/-go-now.ts';
import type { Resumable } from '#/data/session/use-login-gate.tsx';
import { useParkContext } from './-park-context.ts';

/** A sheet is fetched when it is opened. */
const SuggestSheet = lazyPart(
  () => import('#/features/parks/components/suggest-sheet.tsx'),
  PartMissing,
);

const LocationPicker = lazyPart(
  () => import('#/features/places/components/location-picker.tsx'),
  PartMissing,
);

const DirectionsSheet = lazyPart(
  () => import('#/features/directions/components/directions-sheet.tsx'),
  PartMissing,
);

const WeatherOfPlace = lazyPart(() => import('#/routes/-weather-sheet.tsx'), PartMissing);

export const Route = createFileRoute('/parks/$parkId/')({
  // What a visitor wanted before they logged in goes on afterwards; the code on a park's poster leads here, too.
  validateSearch: ({ resume }: Record<string, unknown>): { resume?: Resumable } =>
    resume === 'check-in' ? { resume } : {},
  loader: ({ params: { parkId }, context: { queryClient } }) => {
    void queryClient.prefetchQuery(parkCardQueryOptions(parkId));
  },
  component: GeneralPage,
});

function GeneralPage() {
  const park = usePark(Route.useParams().parkId).data;
  return park ? <GeneralOf park={park} /> : null;
}

function GeneralOf({ park }: { park: Park }) {
  const t = useT();
  const language = useLanguage();
  const { locale } = LANGUAGES[language];
  const words = parkWords(park, language);
  const { userId, status: session } = useSession();
  const { guard, beforePost, beforeFacts } = useParkContext();
  const [suggesting, setSuggesting] = useState(false);
  const [findingWay, setFindingWay] = useState(false);
  const [weatherOpen, setWeatherOpen] = useState(false);
  const status = useParkStatus(park.id);
  const busyHours = useBusyHours(park.id);
  const companions = useCompanions(userId);
  const { resume } = Route.useSearch();
  const navigate = Route.useNavigate();
  const moment = new Date(useNow(60_000));
  const now = parkHour(moment);
  const forecast = useWeather(park);
  const live = status.data;
  const asOf = useAsOf(status.dataUpdatedAt);
  const verdict = goNow(
    goNowInput({
      moment,
      // What was so earlier says nothing of the gate now.
      live:
        live && !asOf
          ? { dogs: live.dogs_now, conditions: live.conditions.map(({ condition }) => condition) }
          : null,
      hazards: live ? hazardsNow(live) : [],
      park,
      place: park,
      forecast,
      busyHours: busyHours.data,
    }),
  );
  const clock = parkClock(moment);
  const hours = hoursOfPark(park.facts, park);
  const surfaces = surfacesToday(
    groundsOf(park.materials),
    hoursOfForecast(forecast, moment),
    park.shade,
  );
  return (
    <ParkColumns
      top={
        <ParkGallery
          parkId={park.id}
          parkName={words.name}
          primary={park.primary_photo}
          photos={park.listed ? undefined : park.park_photos}
          mine={live?.my_photos ?? []}
          scene={<Scene place={{ lat: park.lat, long: park.long }} dogs={live?.dogs_now ?? 0} />}
          guard={guard}
          beforePost={beforePost}
        />
      }
      main={
        <>
          {surfaces.some(({ now }) => groundLevel(now) !== 'fine') && (
            <PawsCard surfaces={surfaces} />
          )}
          {hours && <HoursCard hours={hours} now={clock} />}
          <Button
            variant="secondary"
            icon={CloudSun}
            onClick={() => {
              setWeatherOpen(true);
            }}
          >
            {t('weather.hours.title')}
          </Button>
          {weatherOpen && (
            <Suspense fallback={null}>
              <WeatherOfPlace
                place={{ lat: park.lat, long: park.long }}
                park={park}
                onClose={() => {
                  setWeatherOpen(false);
                }}
              />
            </Suspense>
          )}
          <BusyHoursCard
            rows={busyHours.data}
            failed={busyHours.isError && !busyHours.data}
            now={now}
            dogsNow={live && !asOf ? live.dogs_now : null}
          />
        </>
      }
      about={
        <>
          <ParkAbout
            park={park}
            disputed={live?.disputed_facts}
            onSuggest={() => {
              guard(t('parks.suggest.gate'), () => {
                setSuggesting(true);
              });
            }}
          />
          {suggesting && (
            <Suspense fallback={null}>
              <SuggestSheet
                park={park}
                beforeFacts={beforeFacts}
                picker={(place, onPick) => (
                  <Suspense fallback={<Skeleton height="24rem" />}>
                    <LocationPicker
                      label={t('parks.suggest.place')}
                      value={place}
                      onChange={onPick}
                    />
                  </Suspense>
                )}
                onClose={() => {
                  setSuggesting(false);
                }}
              />
            </Suspense>
          )}
        </>
      }
      side={
        <>
          <LiveCard
            status={live}
            failed={status.isError && !live}
            asOf={asOf}
            goNow={
              // Whoever is here has gone.
              live && !live.my_check_in && verdict && <GoNowLine answer={verdict} />
            }
            actions={
              live?.my_check_in ? (
                <StayLonger parkId={park.id} stay={live.my_check_in} />
              ) : (
                <>
                  <CheckInButton
                    parkId={park.id}
                    companions={companions}
                    dogsNow={live && !asOf ? live.dogs_now : null}
                    planned={Boolean(live?.my_plan)}
                    warning={closedWarning(hours, clock, t, locale)}
                    guard={guard}
                    resumed={session === 'in' && resume === 'check-in'}
                    onResumed={() => void navigate({ search: {}, replace: true })}
                  />
                  <Button
                    variant="secondary"
                    icon={Navigation}
                    onClick={() => {
                      setFindingWay(true);
                    }}
                  >
                    {t('directions.button')}
                  </Button>
                </>
              )
            }
          />
          {findingWay && (
            <Suspense fallback={null}>
              <DirectionsSheet
                to={{ lat: park.lat, long: park.long }}
                place={[words.address, words.city].filter((part) => part !== '').join(' · ')}
                onClose={() => {
                  setFindingWay(false);
                }}
              />
            </Suspense>
          )}
          {(live ?? status.isError) && (
            <ParkConditions
              parkId={park.id}
              conditions={live?.conditions}
              hazardous={live !== undefined && hazardsNow(live).length > 0}
              guard={guard}
              beforePost={beforePost}
            />
          )}
        </>
      }
    />
  );
}
