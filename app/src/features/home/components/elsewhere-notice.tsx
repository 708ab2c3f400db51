// Shown after the user has searched for another place: the place's name, whether parks are nearby, and a button back to the user's
// location.
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

/** Parks within this distance count as nearby. */
const NEAR_METRES = 5000;

export default function ElsewhereNotice({ place }: { place: Elsewhere }) {
  const t = useT();
  const locale = useLocale();
  /** Null until the worker has responded. */
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
  // The first part of the label is the name; the others are the district and the country.
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
