// Links to navigation apps, the one chosen last time first.
import { Navigation } from 'lucide-react';
import { useState } from 'react';
import { handOffUrl, waysFor } from '#/features/directions/hand-off.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { ButtonAnchor } from '#/ui/button.tsx';
import styles from './direction-ways.module.css';

export function DirectionWays({ to }: { to: LatLong }) {
  const t = useT();
  const [ways] = useState(() => waysFor(navigator.userAgent, readLocal('directionsApp')));
  return (
    <div className={styles.ways}>
      {ways.map((way, index) => (
        <ButtonAnchor
          key={way}
          href={handOffUrl(way, to)}
          target={way === 'geo' ? undefined : '_blank'}
          rel="noreferrer"
          variant={index === 0 ? 'primary' : 'secondary'}
          {...(index === 0 && { icon: Navigation })}
          onClick={() => writeLocal('directionsApp', way)}
        >
          {t(`directions.${way}`)}
        </ButtonAnchor>
      ))}
    </div>
  );
}
