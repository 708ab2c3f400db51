// The parks nearest to a place, as cards under a heading. Renders nothing if there are none or loading the list failed.
import { ParkCards, type ParkCardsParts } from '#/features/park-lists/components/park-cards.tsx';
import { findParks } from '#/features/park-lists/find-parks.ts';
import { useListedParks } from '#/features/park-lists/use-listed-parks.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './parks-nearby.module.css';

const NEAREST = 3;

interface ParksNearbyProps extends ParkCardsParts {
  place: LatLong;
  /** ID of a closed park, which the published list may contain for a few more minutes. */
  except: number;
  here: LatLong | null;
}

export function ParksNearby({ place, except, here, ...parts }: ParksNearbyProps) {
  const t = useT();
  const locale = useLocale();
  const { parks, failed } = useListedParks(place);
  const others = parks?.filter(({ id }) => id !== except);
  const nearest =
    others &&
    findParks(others, { sort: 'distance' }, locale)
      .slice(0, NEAREST)
      // These parks are near that place, but the displayed distance is from the user.
      .map((near) => ({ ...near, distance: here && distanceBetween(here, near.location) }));
  if (failed || nearest?.length === 0) return null;
  return (
    <section className={styles.nearby} aria-labelledby="near">
      <h2 id="near" className="text-3">
        {t('ui.parksAround')}
      </h2>
      {nearest ? <ParkCards parks={nearest} {...parts} /> : <Skeleton height="12rem" />}
    </section>
  );
}
