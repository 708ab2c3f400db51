// 'You're at Long Lawn' with a check-in button, offered once per visit if the open app detects that the device is at a park.
// Locations are compared on this device, only if the permission was already granted, and are not sent anywhere.
import { useLocation } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  arrivedAt,
  formatOffer,
  parseOffer,
  type ParkNearby,
} from '#/features/check-ins/device-at-park.ts';
import { CheckInFlow } from '#/features/check-ins/components/check-in-button.tsx';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { useSession } from '#/data/session/session.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { locateQuietly, useHere } from '#/platform/here.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { Button } from '#/ui/button.tsx';
import { FloatingCard } from '#/ui/floating-card.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useFloatingCard } from '#/ui/use-floating-card.ts';
import styles from './arrival-offer.module.css';

/** @param left the park of the user's last visit on this page, where they probably still are */
export default function ArrivalOffer({ left }: { left: number | null }) {
  const arrived = useArrival();
  const [dismissed, setDismissed] = useState(left);
  // The park's page already has a check-in button.
  const isThere = useLocation({
    select: ({ pathname }) => `${pathname}/`.startsWith(`/parks/${arrived?.id ?? ''}/`),
  });
  const isOpen = arrived !== null && arrived.id !== dismissed && !isThere;
  if (!useFloatingCard('arrival', isOpen) || !arrived) return null;
  return <Offer key={arrived.id} park={arrived} onDone={() => setDismissed(arrived.id)} />;
}

function useArrival(): ParkNearby | null {
  const language = useLanguage();
  const { place } = useHere();
  const [arrived, setArrived] = useState<ParkNearby | null>(null);
  useEffect(() => {
    // Use the location only if it is permitted, because this offer must not prompt for it.
    void locateQuietly();
  }, []);
  useEffect(() => {
    if (!place) return undefined;
    let current = true;
    clusterClient().load();
    void clusterClient()
      .nearest(place, 1)
      .then(([nearest = null]) => {
        if (!current) return;
        const lastOffer = parseOffer(readLocal('offeredAtPark'));
        const park = arrivedAt(nearest, place, lastOffer, Date.now());
        if (park) writeLocal('offeredAtPark', formatOffer({ parkId: park.id, at: Date.now() }));
        setArrived((last) => park ?? (last && last.id === nearest?.id ? last : null));
      });
    return () => {
      current = false;
    };
  }, [place, language]);
  return arrived;
}

function Offer({ park, onDone }: { park: ParkNearby; onDone: () => void }) {
  const t = useT();
  const { userId } = useSession();
  const companions = useCompanions(userId);
  const live = useParkLive().data;
  const [choosing, setChoosing] = useState(false);
  return choosing ? (
    <CheckInFlow
      parkId={park.id}
      parkName={park.name}
      location={park.location}
      companions={companions}
      dogsNow={live ? (live[park.id]?.dogs_now ?? 0) : null}
      // No warning about a closed park, because a user at the park can see whether its gate is closed.
      warning={null}
      onClose={onDone}
    />
  ) : (
    <FloatingCard label={t('checkIns.offer.title')} className={styles.arrival} isRow>
      <p className={styles.text}>{t('checkIns.offer.text', { name: park.name })}</p>
      <Button onClick={() => setChoosing(true)}>{t('checkIns.sheet.confirm')}</Button>
      <IconButton icon={X} size={18} label={t('ui.notNow')} onClick={onDone} />
    </FloatingCard>
  );
}
