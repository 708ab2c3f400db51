// The general page of a park.
import { getRouteApi } from '@tanstack/react-router';
import { CalendarPlus, CloudSun, Footprints, Navigation } from 'lucide-react';
import { hoursOfPark } from '../../../../shared/opening-hours/hours-of-park.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { dayTypeOf, parkClock, parkHour } from '../../../../shared/park-time.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import { useNow } from '#/core/use-now.ts';
import { useBusyHours } from '#/entities/parks/park-card.ts';
import { hazardsNow, useParkStatus } from '#/entities/parks/park-status.ts';
import { hasPicture, parkTranslation, usePark, type Park } from '#/entities/parks/park.ts';
import { useSession } from '#/data/session/session.ts';
import { CheckInButton } from '#/features/check-ins/components/check-in-button.tsx';
import { VisitChanges } from '#/features/check-ins/components/visit-changes.tsx';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { ParkConditions } from '#/features/live-reports/components/park-conditions.tsx';
import { ParkAbout } from '#/features/park-facts/components/park-about.tsx';
import { LiveCard } from '#/features/park-pages/components/live-card.tsx';
import { ParkColumns } from '#/features/park-pages/components/park-columns.tsx';
import { ParkGallery } from '#/features/photos/components/park-gallery.tsx';
import { BusyHoursCard } from '#/features/verdicts/components/busy-hours-card.tsx';
import { HoursCard } from '#/features/verdicts/components/hours-card.tsx';
import { VerdictDetails } from '#/features/verdicts/components/verdict-details.tsx';
import { closedWarning } from '#/features/verdicts/format-hours.ts';
import { hoursAhead } from '../../../../shared/verdict/forecast.ts';
import { useWeather } from '#/features/weather/queries/weather.ts';
import { formatDegrees } from '#/features/weather/weather-formats.ts';
import { useLanguage, useLocale, useT } from '#/i18n/i18n.ts';
import { useFriendSheets } from '#/screens/shared/friend-sheets.tsx';
import { usePageVerdict } from '#/screens/shared/verdict.tsx';
import { LocationPicker } from '#/screens/shared/location-picker.tsx';
import { Button } from '#/ui/button.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { PartMissing } from '#/ui/part-missing.tsx';
import { useParkContext } from '#/screens/park/park-context.ts';

// Sheets are loaded when they are opened.
const SuggestSheet = lazyPart(
  () => import('#/features/park-facts/components/suggest-sheet.tsx'),
  PartMissing,
);
const DirectionsSheet = lazyPart(
  () => import('#/features/directions/components/directions-sheet.tsx'),
  PartMissing,
);
const PawClock = lazyPart(() => import('#/screens/shared/paw-clock.tsx'), PartMissing);

const route = getRouteApi('/parks/$parkId/');

export function GeneralPage() {
  const park = usePark(route.useParams().parkId).data;
  return park ? <GeneralOf park={park} /> : null;
}

function GeneralOf({ park }: { park: Park }) {
  const t = useT();
  const language = useLanguage();
  const locale = useLocale();
  const { userId, status: session } = useSession();
  const { guard, beforePost } = useParkContext();
  const { invite, onMyWay, sheet: friendSheet } = useFriendSheets(park.id, guard);
  const [sheet, setSheet] = useNamedOverlay<ParkSheet>('park');
  const companions = useCompanions(userId);
  const moment = new Date(useNow(60_000));
  const clock = parkClock(moment);
  const status = useParkStatus(park.id);
  const live = status.data;
  const mine = useMyVisit();
  const visit = mine?.park_id === park.id ? mine : null;
  const asOf = useAsOf(status.dataUpdatedAt);
  const dogsNow = live && !asOf ? live.dogs_now : null;
  const busyHours = useBusyHours(park.id);
  const verdict = usePageVerdict(park);
  const hours = hoursOfPark(park.facts, park);
  const [weather] = hoursAhead(useWeather(park), moment);
  const hasPhotos = hasPicture(park);
  const gallery = (
    <ParkGallery
      parkId={park.id}
      parkName={parkTranslation(park, language).name}
      primary={park.primary_photo}
      photos={park.listed ? undefined : park.park_photos}
      mine={live?.my_photos ?? []}
      guard={guard}
      beforePost={beforePost}
    />
  );
  return (
    <>
      <ParkColumns
        top={hasPhotos && gallery}
        main={
          <>
            <BusyHoursCard
              rows={busyHours.data}
              failed={busyHours.isError && !busyHours.data}
              now={parkHour(moment)}
              tomorrowType={dayTypeOf(clock.day + 1)}
              dogsNow={dogsNow}
            />
            {hours && <HoursCard hours={hours} now={clock} />}
            {!hasPhotos && gallery}
          </>
        }
        about={
          <ParkAbout
            park={park}
            disputed={live?.disputed_facts}
            onSuggest={(isForMissing) => {
              const next = isForMissing ? 'addMissing' : 'suggest';
              const title = t(isForMissing ? 'parks.about.addMissing' : 'parks.suggest.title');
              guard(title, t('parks.suggest.gate'), () => setSheet(next), { park: next });
            }}
          />
        }
        side={
          <>
            <LiveCard
              status={live}
              failed={status.isError && !live}
              asOf={asOf}
              visitId={visit?.check_in_id}
              verdict={
                <>
                  {/* A user who is here needs no advice on whether to come. */}
                  {live && !visit && verdict && <VerdictDetails verdict={verdict} />}
                  <Button
                    variant="quiet"
                    className="flush"
                    icon={CloudSun}
                    onClick={() => setSheet('weather')}
                  >
                    {t('weather.hours.title')}
                    {weather && <strong>{formatDegrees(weather.temperature)}</strong>}
                  </Button>
                </>
              }
              actions={
                visit ? (
                  <VisitChanges visit={visit} />
                ) : (
                  <>
                    <CheckInButton
                      parkId={park.id}
                      parkName={parkTranslation(park, language).name}
                      location={{ lat: park.lat, long: park.long }}
                      companions={companions}
                      dogsNow={dogsNow}
                      warning={closedWarning(hours, clock, t, locale)}
                      guard={guard}
                    />
                    <Button variant="secondary" icon={Footprints} onClick={onMyWay}>
                      {t('ui.onMyWay')}
                    </Button>
                    <Button variant="secondary" icon={CalendarPlus} onClick={invite}>
                      {t('ui.inviteFriends')}
                    </Button>
                    <Button
                      variant="secondary"
                      icon={Navigation}
                      onClick={() => setSheet('directions')}
                    >
                      {t('directions.button')}
                    </Button>
                  </>
                )
              }
            />
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
      {friendSheet}
      {sheet && (['weather', 'directions'].includes(sheet) || session === 'in') && (
        <SheetOf park={park} sheet={sheet} onClose={() => setSheet(null)} />
      )}
    </>
  );
}

type ParkSheet = 'weather' | 'directions' | 'suggest' | 'addMissing';

interface SheetOfProps {
  park: Park;
  sheet: ParkSheet;
  onClose: () => void;
}

function SheetOf({ park, sheet, onClose }: SheetOfProps) {
  const t = useT();
  const { name, address, city } = parkTranslation(park, useLanguage());
  const { beforeFacts } = useParkContext();
  const place = { lat: park.lat, long: park.long };
  return (
    <>
      {sheet === 'weather' && (
        <PawClock park={{ id: park.id, name, location: place, facts: park }} onClose={onClose} />
      )}
      {sheet === 'directions' && (
        <DirectionsSheet
          to={place}
          place={[address, city].filter((part) => part !== '').join(' · ')}
          onClose={onClose}
        />
      )}
      {(sheet === 'suggest' || sheet === 'addMissing') && (
        <SuggestSheet
          park={park}
          isForMissing={sheet === 'addMissing'}
          beforeFacts={beforeFacts}
          picker={(picked, onPick) => (
            <LocationPicker label={t('parks.suggest.place')} value={picked} onChange={onPick} />
          )}
          onClose={onClose}
        />
      )}
    </>
  );
}
