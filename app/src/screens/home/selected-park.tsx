// The sheet of the selected park: composes parks, check-ins, photos and directions. Loaded with the first tap on a marker.
import { useNavigate } from '@tanstack/react-router';
import { CalendarPlus, Footprints } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { CheckInButton } from '#/features/check-ins/components/check-in-button.tsx';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import type { PopupSlot } from '#/features/home/components/home-map.tsx';
import { PopupFrame } from '#/features/home/components/popup-frame.tsx';
import { FriendsLine } from '#/entities/friendships/friends-line.tsx';
import { VerdictDetails } from '#/features/verdicts/components/verdict-details.tsx';
import { hoursOfPark } from '../../../../shared/opening-hours/hours-of-park.ts';
import { closedWarning } from '#/features/verdicts/format-hours.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { useParkStatus } from '#/entities/parks/park-status.ts';
import { usePark, type ParkPhotoRow } from '#/entities/parks/park.ts';
import { ParkFactsLine } from '#/features/park-lists/components/park-facts-line.tsx';
import { ParkLiveLine } from '#/features/park-lists/components/park-live-line.tsx';
import { ParkPhoto } from '#/entities/photos/park-photo.tsx';
import { ShareButton } from '#/features/park-pages/components/share-button.tsx';
import { useLocationNeed } from '#/features/places/use-location-need.tsx';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { distanceBetween } from '#/core/distance.ts';
import { parkClock } from '../../../../shared/park-time.ts';
import { useNow } from '#/core/use-now.ts';
import { useSession } from '#/data/session/session.ts';
import { useLoginGate } from '#/entities/session/use-login-gate.tsx';
import { lazyPart } from '#/core/lazy-part.ts';
import { useStart } from '#/platform/here.ts';
import { Scene } from '#/screens/shared/scene.tsx';
import { useFriendSheets } from '#/screens/shared/friend-sheets.tsx';
import { useCardVerdict } from '#/screens/shared/verdict.tsx';
import { PartMissing } from '#/ui/part-missing.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useOverlay } from '#/ui/overlays.ts';
import { Skeleton } from '#/ui/skeleton.tsx';
import { useFloatingCard } from '#/ui/use-floating-card.ts';
import styles from './selected-park.module.css';
import { PHOTO_WIDTH } from '../../../../shared/photo-sizes.ts';

const DirectionsPanel = lazyPart(
  () => import('#/features/directions/components/directions-panel.tsx'),
  PartMissing,
  <Skeleton height="9rem" />,
);

const STRIP = 6;

export default function SelectedPark({ park, map, byKeyboard, close }: PopupSlot) {
  const t = useT();
  useFloatingCard('park', true);
  const navigate = useNavigate();
  const [directed, setDirected] = useState(false);
  useOverlay(directed, () => setDirected(false));
  const location = useLocationNeed();
  const { userId } = useSession();
  const { guard, sheet: loginSheet } = useLoginGate();
  const { invite, onMyWay, sheet: friendSheet } = useFriendSheets(park.id, guard);
  const companions = useCompanions(userId);
  const place = useStart();
  const facts = usePark(park.id);
  const status = useParkStatus(park.id).data;
  const visit = useMyVisit();
  const known = useParkLive().data;
  const live = known?.[park.id];
  const verdict = useCardVerdict(park, true);
  const locale = useLocale();
  const clock = parkClock(new Date(useNow(60_000)));
  const hours = facts.data ? hoursOfPark(facts.data.facts, park.location) : null;
  // Use the same number as the card and the pin. A park that is missing in the live counts has no dogs.
  const dogs = known ? (live?.dogs_now ?? 0) : (status?.dogs_now ?? null);
  const open = () =>
    // If the browser supports view transitions, the sheet grows into the page.
    void navigate({ to: '/parks/$parkId', params: { parkId: park.id }, viewTransition: true });
  return (
    <>
      <PopupFrame
        park={park}
        byKeyboard={byKeyboard}
        close={close}
        onOpen={open}
        photos={
          <PhotoStrip
            photos={facts.data?.park_photos ?? []}
            primary={facts.data?.primary_photo ?? null}
            scene={facts.isPending ? null : <Scene place={park.location} dogs={dogs ?? 0} />}
            alt={t('ui.photoOf', { name: park.name })}
          />
        }
        action={
          status &&
          visit?.park_id !== park.id && (
            <CheckInButton
              parkId={park.id}
              parkName={park.name}
              location={park.location}
              companions={companions}
              dogsNow={dogs}
              warning={closedWarning(hours, clock, t, locale)}
              guard={guard}
            />
          )
        }
        share={
          <>
            {visit?.park_id !== park.id && (
              <IconButton
                variant="raised"
                icon={Footprints}
                label={t('ui.onMyWay')}
                onClick={onMyWay}
              />
            )}
            <IconButton
              variant="raised"
              icon={CalendarPlus}
              label={t('ui.inviteFriends')}
              onClick={invite}
            />
            <ShareButton variant="raised" parkId={park.id} name={park.name} dogs={dogs} />
          </>
        }
        directions={
          directed && (
            <>
              <DirectionsPanel
                name={park.name}
                to={park.location}
                map={map}
                locating={location.locating}
                onLocate={() => void location.ask()}
                onBack={() => setDirected(false)}
              />
              {location.sheet}
            </>
          )
        }
        onDirections={() => setDirected(true)}
      >
        <ParkLiveLine
          dogs={dogs}
          distance={place && distanceBetween(place, park.location)}
          rank={status?.average_rank ?? null}
          reviews={status?.review_count}
        />
        <FriendsLine friends={status?.friends_here ?? []} />
        {verdict === undefined ? (
          <Skeleton height="2.75rem" />
        ) : (
          verdict && <VerdictDetails verdict={verdict} />
        )}
        {facts.isPending ? (
          <Skeleton width="12rem" height="1.2rem" />
        ) : (
          <p>
            <ParkFactsLine
              facts={facts.data ?? null}
              conditions={live?.conditions ?? []}
              hazards={live?.hazards ?? []}
            />
          </p>
        )}
      </PopupFrame>
      {friendSheet}
      {loginSheet}
    </>
  );
}

interface PhotoStripProps {
  photos: ParkPhotoRow[];
  primary: string | null;
  alt: string;
  /** The drawing for a park without a photo. */
  scene: ReactNode;
}

/** Shows one wide photo, or several side by side that scroll. */
function PhotoStrip({ photos, primary, alt, scene }: PhotoStripProps) {
  const approved = photos.filter(({ status }) => status === 'approved');
  const others = approved.map(({ path }) => path).filter((path) => path !== primary);
  const paths = [primary, ...others].slice(0, STRIP);
  return (
    <div
      className={styles.strip}
      role="group"
      aria-label={alt}
      tabIndex={paths.length > 1 ? 0 : -1}
    >
      {paths.map((path, index) => (
        <ParkPhoto
          key={path ?? 'none'}
          path={path}
          width={PHOTO_WIDTH.card}
          alt={index === 0 ? alt : ''}
          eager
          scene={scene}
          className={styles.photo}
        />
      ))}
    </div>
  );
}
