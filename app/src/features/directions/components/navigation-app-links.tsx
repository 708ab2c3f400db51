// Links to navigation apps, the last used first.
import { Navigation } from 'lucide-react';
import { useState } from 'react';
import { navigationAppUrl, navigationAppsFor } from '#/features/directions/navigation-apps.ts';
import { useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { ButtonAnchor } from '#/ui/button.tsx';
import styles from './navigation-app-links.module.css';

export function NavigationAppLinks({ to }: { to: LatLong }) {
  const t = useT();
  const [apps] = useState(() => navigationAppsFor(navigator.userAgent, readLocal('directionsApp')));
  return (
    <div className={styles.apps}>
      {apps.map((app, index) => (
        <ButtonAnchor
          key={app}
          href={navigationAppUrl(app, to)}
          target={app === 'geo' ? undefined : '_blank'}
          rel="noreferrer"
          variant={index === 0 ? 'primary' : 'secondary'}
          {...(index === 0 && { icon: Navigation })}
          onClick={() => writeLocal('directionsApp', app)}
        >
          {t(`directions.${app}`)}
        </ButtonAnchor>
      ))}
    </div>
  );
}
