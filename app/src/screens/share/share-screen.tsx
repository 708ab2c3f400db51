// The landing page of a shared park.
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useRemovedPark } from '#/features/park-pages/queries/removed-park.ts';
import { parkTranslation, usePark } from '#/entities/parks/park.ts';
import { useParkStatus } from '#/entities/parks/park-status.ts';
import { ParkLiveLine } from '#/features/park-lists/components/park-live-line.tsx';
import { ShareLanding } from '#/features/park-pages/components/share-landing.tsx';
import { useLanguage } from '#/i18n/i18n.ts';

const route = getRouteApi('/share/parks/$parkId');

export function ShareScreen() {
  const { parkId } = route.useParams();
  const { data: park } = usePark(parkId);
  const removed = useRemovedPark(parkId);
  const language = useLanguage();
  const status = useParkStatus(parkId).data;
  const live = status && (
    <ParkLiveLine
      dogs={status.dogs_now}
      distance={null}
      rank={status.average_rank}
      reviews={status.review_count}
    />
  );
  // The landing page does not wait for the park; if it was merged, redirect to the other park's landing page.
  if (removed?.merged_into)
    return <Navigate to="/share/parks/$parkId" params={{ parkId: removed.merged_into }} replace />;
  if (!park) return <ShareLanding parkId={parkId} park={null} live={live} />;
  const { name, city, address } = parkTranslation(park, language);
  const place = [address, city].filter(Boolean).join(' · ');
  return (
    <ShareLanding parkId={parkId} park={{ name, place, photo: park.primary_photo }} live={live} />
  );
}
