// The offline map's sheet, with the areas to save: the visible one and those around favourites.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { favouritesQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { OfflineMapSheet } from '#/features/offline-map/components/offline-map-sheet.tsx';
import { useSession } from '#/data/session/session.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import type { ParkMap } from '#/map/park-map.ts';
import { areaAround } from '#/map/vector/map-areas.ts';
import type { Area } from '#/map/vector/offline-map.ts';
import { getConfig } from '#/platform/config.ts';

export default function OfflineMapPanel({ map, onClose }: { map: ParkMap; onClose: () => void }) {
  const { map: site } = getConfig();
  const loggedIn = useSession().status === 'in';
  const { data: favourites, isPending } = useQuery({
    ...favouritesQueryOptions(),
    enabled: loggedIn,
  });
  const [shown] = useState((): Area => {
    const bounds = map.leaflet.getBounds();
    const [west, south] = [bounds.getWest(), bounds.getSouth()];
    return { west, south, east: bounds.getEast(), north: bounds.getNorth() };
  });
  const [areas, setAreas] = useState<readonly Area[] | null>(null);
  useEffect(() => {
    // While the favourites are loading, saved areas can only be viewed and deleted. Offline, the request fails immediately.
    if (loggedIn && isPending) return undefined;
    let current = true;
    const found = (favourites ?? []).map((id) => clusterClient().find(id));
    void Promise.all(found).then((parks) => {
      const around = parks
        .filter((park) => park !== null)
        .map(({ location }) => areaAround(location));
      if (current) setAreas([shown, ...around]);
    });
    return () => {
      current = false;
    };
  }, [shown, loggedIn, isPending, favourites]);
  if (!site) return null;
  return <OfflineMapSheet map={site} areas={areas} loggedIn={loggedIn} onClose={onClose} />;
}
