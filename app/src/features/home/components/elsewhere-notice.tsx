// The person looks around in another place: its name, whether there are parks near it, and the way back to their own.
import { MapPin, Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { distanceBetween, formatDistance } from '#/core/distance.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { type Elsewhere, setElsewhere } from '#/platform/here.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './parks-notice.module.css';

/** Farther away than this is not near. */
const NEAR_METRES = 5000;

export default function ElsewhereNotice({ place }: { place: Elsewhere }) {
  const t = useT();
  const locale = useLocale();
  /** Null before it is known. */
  const [hasParks, setHasParks] = useState<boolean | null>(null);
  useEffect(() => {
    let current = true;
    void clusterClient()
      .nearest(place, 1)
      .then(([park]) => {
        if (!current) return;
        setHasParks(park !== undefined && distanceBetween(place, park.location) <= NEAR_METRES);
      });
    return () => {
      current = false;
    };
  }, [place]);
  if (hasParks === null) return null;
  // Addresses go on to the district and the country.
  const [name = ''] = place.label.split(',');
  return (
    <div className={styles.notice} role="status">
      <Icon of={MapPin} size={18} />
      <span className={styles.text}>
        {t(hasParks ? 'home.elsewhere.near' : 'home.elsewhere.none', {
          place: name,
          distance: formatDistance(NEAR_METRES, locale),
        })}
      </span>
      {!hasParks && (
        <ButtonLink to="/parks/new" variant="quiet" icon={Plus}>
          {t('ui.addPark')}
        </ButtonLink>
      )}
      <IconButton
        icon={X}
        size={18}
        label={t('home.elsewhere.clear')}
        onClick={() => setElsewhere(null)}
      />
    </div>
  );
}
