// The popup of the selected park, put together from parks, photos and directions; loaded with the first tap on a marker.
import { Suspense, useState } from 'react';
import type { PopupSlot } from '#/features/home/components/home-screen.tsx';
import { ParkPopup } from '#/features/home/components/park-popup.tsx';
import { useParkLive } from '#/features/parks/queries/park-live.ts';
import { usePark, type ParkPhotoRow } from '#/features/parks/queries/park.ts';
import { ParkFactsChips } from '#/features/parks/components/park-facts.tsx';
import { ParkPhoto } from '#/features/parks/components/park-photo.tsx';
import { useLocationNeed } from '#/features/places/use-location-need.tsx';
import { useT } from '#/i18n/i18n.ts';
import { PHOTO_WIDTH } from '#/data/photos/photo-url.ts';
import { lazyPart } from '#/core/lazy-part.ts';
import { PartMissing } from '#/ui/part-missing.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './selected-park.module.css';

const DirectionsPanel = lazyPart(
  () => import('#/features/directions/components/directions-panel.tsx'),
  PartMissing,
);

/** Photos in the strip at most. */
const STRIP = 6;

export default function SelectedPark({ park, map, byKeyboard, close }: PopupSlot) {
  const t = useT();
  const [directed, setDirected] = useState(false);
  const location = useLocationNeed();
  const facts = usePark(park.id);
  const known = useParkLive().data;
  const live = known?.[park.id];
  const directions = directed && (
    <Suspense fallback={<Skeleton height="9rem" />}>
      <DirectionsPanel
        name={park.name}
        to={park.location}
        map={map}
        locating={location.locating}
        onLocate={() => void location.ask()}
        onBack={() => setDirected(false)}
      />
    </Suspense>
  );
  return (
    <ParkPopup
      park={park}
      // The answer names only parks where somebody is; without an answer nobody knows.
      dogs={known ? (live?.dogs_now ?? 0) : null}
      map={map}
      byKeyboard={byKeyboard}
      close={close}
      photos={
        <PhotoStrip
          photos={facts.data?.park_photos ?? []}
          primary={facts.data?.primary_photo ?? null}
          alt={t('home.park.photo', { name: park.name })}
        />
      }
      chips={
        facts.isPending ? (
          <Skeleton width="7rem" height="28px" round />
        ) : (
          <ParkFactsChips facts={facts.data ?? null} conditions={live?.conditions ?? []} />
        )
      }
      directions={
        directions && (
          <>
            {directions}
            {location.sheet}
          </>
        )
      }
      onDirections={() => setDirected(true)}
    />
  );
}

interface PhotoStripProps {
  photos: ParkPhotoRow[];
  primary: string | null;
  alt: string;
}

/** One wide photo, or several side by side that scroll. */
function PhotoStrip({ photos, primary, alt }: PhotoStripProps) {
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
          className={styles.photo}
        />
      ))}
    </div>
  );
}
