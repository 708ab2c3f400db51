// Directions to a park: the route on the map if the host provides routing, and links to navigation apps.
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Footprints, LocateFixed } from 'lucide-react';
import { useEffect } from 'react';
import { routeQueryOptions } from '#/features/directions/queries/route.ts';
import { NavigationAppLinks } from '#/features/directions/components/navigation-app-links.tsx';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { getConfig } from '#/platform/config.ts';
import { formatDistance, type LatLong } from '#/core/distance.ts';
import { drawRoute } from '#/map/route-line.ts';
import type { ParkMap } from '#/map/park-map.ts';
import { locateQuietly, useHere } from '#/platform/here.ts';
import { Button } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './directions-panel.module.css';

interface DirectionsPanelProps {
  /** The park's name was entered by a user, so its direction is unknown. */
  name: string;
  to: LatLong;
  map: ParkMap;
  /** True while the device's location is being requested. */
  locating: boolean;
  /** Requests the device's location as the start of the route. */
  onLocate: () => void;
  onBack: () => void;
}

const focusOn = (heading: HTMLElement | null) => heading?.focus({ preventScroll: true });

/** Space in pixels that the panel and the search box cover, so the whole route is visible. */
const COVERED = { top: 80, bottom: 260 };

export default function DirectionsPanel(props: DirectionsPanelProps) {
  const { name, to, onBack } = props;
  const t = useT();
  return (
    <div className="grid-3">
      <header className={styles.header}>
        <IconButton icon={ArrowLeft} directional label={t('directions.back')} onClick={onBack} />
        <h2 ref={focusOn} className={styles.title} tabIndex={-1}>
          {t('directions.title', { name })}
        </h2>
      </header>
      {getConfig().routing && <RouteOnMap {...props} />}
      <NavigationAppLinks to={to} />
    </div>
  );
}

/** Draws the walking route while it is mounted. */
function RouteOnMap({ to, map, locating, onLocate }: DirectionsPanelProps) {
  const t = useT();
  const locale = useLocale();
  const { place, permission } = useHere();
  // If a link opened this park, no other component has requested the location yet.
  useEffect(() => void locateQuietly(), []);
  const { data: route, isError } = useQuery({
    ...routeQueryOptions(place ?? to, to),
    enabled: place !== null,
  });
  const time =
    route && t('directions.minutes', { minutes: Math.max(1, Math.round(route.duration / 60)) });
  useEffect(
    () => (route && time ? drawRoute(map.leaflet, route.path, time, COVERED) : undefined),
    [map, route, time],
  );

  if (!place)
    return (
      <>
        <p className={styles.summary} role="status">
          {t(permission === 'granted' ? 'directions.locating' : 'directions.noPlace')}
        </p>
        <Button variant="secondary" icon={LocateFixed} busy={locating} onClick={onLocate}>
          {t('ui.useLocation')}
        </Button>
      </>
    );
  if (isError)
    return (
      <p className={styles.summary} role="status">
        {t('directions.unavailable')}
      </p>
    );
  return (
    <p className={styles.summary} role="status" aria-busy={!route}>
      <Icon of={Footprints} />
      {route ? (
        <>
          <strong>{formatDistance(route.distance, locale)}</strong>
          <span>{time}</span>
        </>
      ) : (
        <Skeleton width="9em" />
      )}
    </p>
  );
}
