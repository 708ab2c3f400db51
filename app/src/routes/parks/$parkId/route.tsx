// /parks/{id}: loads the park and stands around its three pages; keeps what they share.
import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { HereBar } from '#/features/checkins/components/here-bar.tsx';
import { parkQueryOptions, parkWords, usePark } from '#/features/parks/api/park.ts';
import { parkStatusQueryOptions, useParkStatus } from '#/features/parks/api/park-status.ts';
import { FavouriteButton } from '#/features/parks/components/favourite-button.tsx';
import { ParkFrame } from '#/features/parks/components/park-frame.tsx';
import { ShareButton } from '#/features/parks/components/share-button.tsx';
import { useLanguage } from '#/i18n/i18n.ts';
import { loadOrOffline } from '#/lib/load-or-offline.ts';
import { useLoginGate } from '#/ui/use-login-gate.tsx';

export const Route = createFileRoute('/parks/$parkId')({
  params: {
    parse: ({ parkId }) => ({ parkId: Number(parkId) }),
    stringify: ({ parkId }) => ({ parkId: String(parkId) }),
  },
  loader: async ({ params: { parkId }, context: { queryClient } }) => {
    if (!Number.isSafeInteger(parkId) || parkId < 1) throw notFound();
    void queryClient.prefetchQuery(parkStatusQueryOptions(parkId));
    await loadOrOffline(queryClient, parkQueryOptions(parkId));
  },
  component: ParkRoute,
});

function ParkRoute() {
  const { parkId } = Route.useParams();
  const language = useLanguage();
  const park = usePark(parkId).data;
  const status = useParkStatus(parkId).data;
  const gate = useLoginGate();
  const [, setReviewing] = useState(false);
  if (!park) return null;
  return (
    <ParkFrame
      park={park}
      actions={
        <>
          <FavouriteButton
            parkId={parkId}
            favourite={status?.is_favourite ?? false}
            guard={gate.guard}
          />
          <ShareButton parkId={parkId} name={parkWords(park, language).name} />
        </>
      }
      bar={
        status?.my_check_in && (
          <HereBar
            parkId={parkId}
            stay={status.my_check_in}
            onOfferReview={() => {
              setReviewing(true);
            }}
          />
        )
      }
    >
      <Outlet />
      {gate.sheet}
    </ParkFrame>
  );
}
