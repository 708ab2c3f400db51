// /share/parks/{parkId}: where a shared link leads.
import { createFileRoute, Navigate, notFound } from '@tanstack/react-router';
import { useFormerPark } from '#/features/park-pages/queries/former-park.ts';
import { parkQueryOptions, parkWords, usePark } from '#/entities/parks/park.ts';
import { useParkStatus } from '#/entities/parks/park-status.ts';
import { ParkLiveLine } from '#/features/park-lists/components/park-live-line.tsx';
import { ShareLanding } from '#/features/park-pages/components/share-landing.tsx';
import { useLanguage } from '#/i18n/i18n.ts';

export const Route = createFileRoute('/share/parks/$parkId')({
  params: {
    parse: ({ parkId }) => ({ parkId: Number(parkId) }),
    stringify: ({ parkId }) => ({ parkId: String(parkId) }),
  },
  loader: ({ params: { parkId }, context: { queryClient } }) => {
    if (!Number.isSafeInteger(parkId) || parkId < 1) throw notFound();
    void queryClient.prefetchQuery(parkQueryOptions(parkId));
  },
  component: ShareRoute,
});

function ShareRoute() {
  const { parkId } = Route.useParams();
  const { data: park } = usePark(parkId);
  const former = useFormerPark(parkId);
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
  // The landing does not wait for the park: where it was merged with another, that one's landing takes its place.
  if (former?.merged_into)
    return <Navigate to="/share/parks/$parkId" params={{ parkId: former.merged_into }} replace />;
  if (!park) return <ShareLanding parkId={parkId} park={null} live={live} />;
  const { name, city, address } = parkWords(park, language);
  const place = [address, city].filter(Boolean).join(' · ');
  return (
    <ShareLanding parkId={parkId} park={{ name, place, photo: park.primary_photo }} live={live} />
  );
}
