// A park: the frame and the shared state of its three pages.
import { useState } from 'react';
import { BellRing } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate, Outlet } from '@tanstack/react-router';
import { favouritesQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { HazardStrip } from '#/features/live-reports/components/hazard-strip.tsx';
import { useRemovedPark } from '#/features/park-pages/queries/removed-park.ts';
import { hasPicture, parkTranslation, type Park, usePark } from '#/entities/parks/park.ts';
import { useParkStatus } from '#/entities/parks/park-status.ts';
import { PhotoActions, PhotoReport } from '#/features/photos/components/photo-actions.tsx';
import { FavouriteButton } from '#/features/favourites/components/favourite-button.tsx';
import { ParkFrame } from '#/features/park-pages/components/park-frame.tsx';
import { ParkPapers } from '#/features/park-pages/components/park-papers.tsx';
import { ShareButton } from '#/features/park-pages/components/share-button.tsx';
import { useMyReview } from '#/features/reviews/queries/my-review.ts';
import ReviewSheet from '#/features/reviews/components/review-sheet.tsx';
import { useTermsGate } from '#/features/consents/use-terms-gate.tsx';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { useSession } from '#/data/session/session.ts';
import { IconButton } from '#/ui/icon-button.tsx';
import { OfflineNote } from '#/ui/offline-note.tsx';
import { useLoginGate } from '#/entities/session/use-login-gate.tsx';
import { useNamedOverlay } from '#/ui/overlays.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Gate } from '#/screens/park/gate.tsx';
import { ParkScreenContext } from '#/screens/park/park-context.ts';

/** Loaded on demand, because only a few parks have notices. */
const ParkNotices = lazyPart(
  () => import('#/features/park-pages/components/park-notices.tsx'),
  PartMissing,
);

/** Loaded on demand, because few visitors open the URL of a removed park. */
const RemovedPark = lazyPart(() => import('#/screens/park/removed-park.tsx'), PartMissing);

const GoodTimeSheet = lazyPart(
  () => import('#/features/favourites/components/good-time-sheet.tsx'),
  PartMissing,
);
const PushHint = lazyPart(() => import('#/features/notifications/components/push-hint.tsx'));

const route = getRouteApi('/parks/$parkId');

export function ParkScreen() {
  const { parkId } = route.useParams();
  const removed = useRemovedPark(parkId);
  const park = usePark(parkId).data;
  if (removed?.merged_into)
    return <Navigate to="/parks/$parkId" params={{ parkId: removed.merged_into }} replace />;
  if (removed) return <RemovedPark parkId={parkId} removed={removed} />;
  return park ? <ListedPark park={park} /> : null;
}

function ListedPark({ park }: { park: Park }) {
  const t = useT();
  const parkId = park.id;
  const language = useLanguage();
  const { status: session } = useSession();
  const { data: status, isLoading: isStatusLoading } = useParkStatus(parkId);
  // Cached favourites, in case the park's status cannot be loaded.
  const favourites = useQuery({ ...favouritesQueryOptions(), enabled: false }).data;
  const { guard, sheet: loginSheet } = useLoginGate();
  const terms = useTermsGate();
  const [reviewing, setReviewing] = useNamedOverlay('review');
  const myReview = useMyReview(parkId, session === 'in' && Boolean(status?.my_review_id));
  const openReview = () => setReviewing(true);
  const shared = { guard, beforePost: terms.ask, beforeFacts: terms.askForFacts, openReview };
  const [isChoosingHours, setChoosingHours] = useState(false);
  const isFavourite = status?.is_favourite ?? favourites?.includes(parkId) ?? false;
  const { name } = parkTranslation(park, language);
  return (
    <ParkScreenContext value={shared}>
      <ParkFrame
        park={park}
        rating={
          status && status.average_rank !== null
            ? { rank: status.average_rank, count: status.review_count }
            : null
        }
        // Show the drawing only without a photo, because one picture is enough.
        gate={!hasPicture(park) && <Gate park={park} />}
        actions={
          <>
            {session === 'in' && isFavourite && (
              <IconButton
                icon={BellRing}
                label={t('favourites.goodTime.title')}
                onClick={() => setChoosingHours(true)}
              />
            )}
            <FavouriteButton parkId={parkId} favourite={isFavourite} guard={guard} />
            <ShareButton parkId={parkId} name={name} dogs={status?.dogs_now ?? null}>
              {getConfig().hostPages && <ParkPapers parkId={parkId} />}
            </ShareButton>
          </>
        }
        bar={
          <>
            {park.listed && <OfflineNote text={t('parks.listed.note')} />}
            {status && status.notices.length > 0 && <ParkNotices notices={status.notices} />}
            <HazardStrip
              parkId={parkId}
              hazards={status?.hazards ?? []}
              photoActions={(path, onRemoved) => (
                <PhotoActions
                  parkId={parkId}
                  path={path}
                  mine={status?.my_photos.includes(path) ?? false}
                  guard={guard}
                  onRemoved={onRemoved}
                />
              )}
              guard={guard}
              beforePost={terms.ask}
            />
          </>
        }
      >
        <Outlet />
      </ParkFrame>
      <ReviewSheet
        open={session === 'in' && reviewing !== null}
        parkId={parkId}
        parkName={name}
        review={isStatusLoading || myReview.isLoading ? undefined : (myReview.data ?? null)}
        beenHere={status?.been_here}
        beforePost={terms.ask}
        onClose={() => setReviewing(null)}
      />
      <PhotoReport />
      {isChoosingHours && (
        <GoodTimeSheet parkId={parkId} onClose={() => setChoosingHours(false)}>
          <PushHint text={t('favourites.goodTime.push')} />
        </GoodTimeSheet>
      )}
      {loginSheet}
      {terms.sheet}
    </ParkScreenContext>
  );
}
